// The one entry of all npm scripts: makes the machine ready, then runs the command named. It needs nothing but Node.

const [major, minor] = process.versions.node.split('.').map(Number);
const command = process.argv[2];

if (major < 20 || (major === 20 && minor < 18)) {
  process.stderr.write(
    `Patchbay needs Node 20.18 or later, this is ${process.versions.node}: see https://nodejs.org\n`,
  );
  process.exit(1);
}

// Imported only now, so that an older Node gets the line above and not a syntax error.
void import('./commands/dispatch.mjs').then(({ dispatch }) => dispatch(command, process.argv.slice(3)));
