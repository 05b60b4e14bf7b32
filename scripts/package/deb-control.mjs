// Writes the control fields of a Debian package.

/**
 * The text of DEBIAN/control.
 * @param {ReturnType<typeof import('./fpm-options.mjs').parseFpmOptions>} options
 * @param {number} bytes installed size
 */
export function controlText({ value, list }, bytes) {
  const fields = {
    Package: value.name,
    Version: value.iteration === undefined ? value.version : `${value.version}-${value.iteration}`,
    Architecture: value.architecture,
    Maintainer: value.maintainer,
    'Installed-Size': String(Math.ceil(bytes / 1024)),
    Depends: list.d.join(', '),
    Recommends: list['deb-recommends'].join(', '),
    Section: value.category ?? 'devel',
    Priority: value['deb-priority'] ?? 'optional',
    Homepage: /^https?:\/\/[^/]*\.invalid(\/|$)/.test(value.url ?? '') ? undefined : value.url,
    Description: descriptionText(value),
  };
  return Object.entries(fields)
    .filter(([, text]) => text !== undefined && text !== '')
    .map(([name, text]) => `${name}: ${text}\n`)
    .join('');
}

/** The first line stands alone; the others are indented, and an empty one is a dot. */
function descriptionText({ description = '', name }) {
  const [first, ...others] = description.split('\n').map((line) => line.trim());
  return [first || name, ...others.map((line) => ` ${line || '.'}`)].join('\n');
}
