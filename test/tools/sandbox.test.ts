// Tests which packages and switches a machine gets.
import { describe, expect, it } from 'vitest';
import { installLine } from '../../scripts/electron/libraries.mjs';
import { sandboxSwitches } from '../../scripts/electron/sandbox.mjs';
import { isRoot } from '../../scripts/setup/machine.mjs';
import { TEST_PACKAGES } from '../../scripts/test/packages.mjs';

describe('Electron on this machine', () => {
  it('gets a line that installs its libraries with the package manager that is here', () => {
    expect(installLine()).toMatch(/^sudo (apt-get|dnf|pacman|zypper) .*gtk/);
  });

  it('runs without the sandbox as root, and says nothing to an ordinary user with namespaces', () => {
    const switches = sandboxSwitches({ folder: '/nowhere' });
    expect(isRoot ? switches : ['--no-sandbox']).toEqual(['--no-sandbox']);
  });
});

describe('the list of test packages', () => {
  it('says of each what it is for and how it is recognised', () => {
    for (const { name, use, program, library } of TEST_PACKAGES) {
      expect(`${name}: ${use}`).toMatch(/^[a-z0-9-]+: .+/);
      expect([program, library].filter((way) => way !== undefined)).toHaveLength(1);
    }
  });
});
