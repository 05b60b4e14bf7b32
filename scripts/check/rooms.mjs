// The rules between the rooms of the source: who may import whom, and which packages belong to which room.

/** Every room with its folder, longest first where one lies in another, and the rooms that it may import. */
export const ROOMS = [
  { name: 'shared', at: 'src-shared/', may: [], builtins: false, packages: ['zod'] },
  { name: 'renderer', at: 'src-renderer/', may: ['shared'], builtins: false },
  { name: 'core', at: 'src-main/core/', may: ['shared'], builtins: true },
  { name: 'mcp', at: 'src-main/mcp/', may: ['shared', 'core'], builtins: true },
  { name: 'gateway', at: 'src-main/gateway/', may: ['shared', 'core'], builtins: true },
  { name: 'bridge', at: 'src-main/bridge/', may: ['shared', 'core'], builtins: true, packages: [] },
  {
    name: 'electron',
    at: 'src-main/electron/',
    may: ['shared', 'core', 'mcp', 'gateway', 'bridge', 'main'],
    builtins: true,
  },
  { name: 'main', at: 'src-main/', may: ['shared', 'core', 'mcp', 'gateway'], builtins: true },
];

/** Packages that only one folder may import, with the reason that the message gives. */
export const OWNED_PACKAGES = [
  { matches: /^ssh2(\/|$)/, at: 'src-main/core/ssh/', reason: 'the connection stands behind the port of core/ssh' },
  { matches: /^electron(\/|$)/, at: 'src-main/electron/', reason: 'everything else also runs without Electron' },
  { matches: /^@modelcontextprotocol\//, at: 'src-main/mcp/', reason: 'tools are declared in src-shared/tools' },
  { matches: /^(react|react-dom|zustand|lucide-react)(\/|$)/, at: 'src-renderer/', reason: 'only the renderer draws' },
];

/** The room that a file (relative to the root) lies in. */
export function roomOf(file) {
  return ROOMS.find(({ at }) => file.startsWith(at));
}
