// Tests how packages are described and which of them a machine can build.
import { describe, expect, it } from 'vitest';
import { controlText } from '../../scripts/package/deb-control.mjs';
import { parseFpmOptions } from '../../scripts/package/fpm-options.mjs';
import { sortTargets } from '../../scripts/package/targets.mjs';

const ARGS = ['-s', 'dir', '--force', '-t', 'deb', '-d', 'libnss3', '-d', 'a | b', '--name', 'patchbay'];
const MORE = [
  '--version=1.2.3',
  '--architecture',
  'amd64',
  '--description',
  'First\n second\n',
  '/x/=/opt/X',
  '/a=b.png=/c',
];

describe('the options that electron-builder gives to fpm', () => {
  it('are read in both ways of writing, with lists and sources', () => {
    const { value, list, inputs } = parseFpmOptions([...ARGS, ...MORE]);
    expect(value).toEqual({
      s: 'dir',
      t: 'deb',
      name: 'patchbay',
      version: '1.2.3',
      architecture: 'amd64',
      description: 'First\n second\n',
    });
    expect(list.d).toEqual(['libnss3', 'a | b']);
    expect(inputs).toEqual([
      { source: '/x/', target: '/opt/X' },
      { source: '/a=b.png', target: '/c' },
    ]);
  });

  it('are refused for anything but a deb', () => {
    expect(() => parseFpmOptions(['-s', 'dir', '-t', 'rpm'])).toThrow('only -s dir -t deb');
  });
});

describe('the control file', () => {
  it('leaves out an address that stands for none', () => {
    const withUrl = (url: string): string => controlText(parseFpmOptions([...ARGS, ...MORE, '--url', url]), 1);
    expect(withUrl('https://patchbay.invalid/')).not.toContain('Homepage');
    expect(withUrl('https://example.org/')).toContain('\nHomepage: https://example.org/\n');
  });

  it('holds the fields that are there, the size in KiB and an indented description', () => {
    expect(controlText(parseFpmOptions([...ARGS, ...MORE]), 2049)).toBe(
      [
        'Package: patchbay',
        'Version: 1.2.3',
        'Architecture: amd64',
        'Installed-Size: 3',
        'Depends: libnss3, a | b',
        'Section: devel',
        'Priority: optional',
        'Description: First',
        ' second',
        ' .',
        '',
      ].join('\n'),
    );
  });
});

describe('sortTargets', () => {
  it('names for each package that cannot be built the system that it needs', () => {
    const { able, unable } = sortTargets([], { system: 'darwin' });
    expect(able).toEqual(['dmg']);
    expect(unable.map(({ name, reason }) => `${name}: ${reason}`)).toContain('nsis: it is built on Windows');
    expect(unable).toHaveLength(5);
  });

  it('keeps to the targets that were asked for', () => {
    expect(sortTargets(['dir'], { system: 'linux' })).toEqual({ able: ['dir'], unable: [] });
  });
});
