// The Debian packages that tests use, and what each is for. The name in `program` shows that it is there.

/** In the order in which they are installed; `library` is a file name in place of a program. */
export const TEST_PACKAGES = [
  { name: 'openssh-server', program: 'sshd', use: 'the SSH server that most tests connect to' },
  { name: 'openssh-client', program: 'ssh', use: 'ssh, ssh-keygen and ssh-agent' },
  { name: 'dropbear-bin', program: 'dropbear', use: 'a second SSH server with other habits' },
  { name: 'bash', program: 'bash', use: 'the shell of the agent lane' },
  { name: 'zsh', program: 'zsh', use: 'a login shell' },
  { name: 'fish', program: 'fish', use: 'a login shell with a syntax of its own' },
  { name: 'tcsh', program: 'tcsh', use: 'a login shell of the C family' },
  { name: 'busybox-static', program: 'busybox', use: 'a small POSIX shell and its tools' },
  { name: 'iproute2', program: 'ip', use: 'network namespaces for unreachable hosts' },
  { name: 'iptables', program: 'iptables', use: 'links that go silent, in namespaces' },
  { name: 'util-linux', program: 'unshare', use: 'private accounts for tests' },
  { name: 'procps', program: 'pgrep', use: 'to see that nothing is left running' },
  { name: 'chromium', program: 'chromium', use: 'the page in a real browser' },
  { name: 'xvfb', program: 'Xvfb', use: 'a screen for the window' },
  { name: 'xauth', program: 'xauth', use: 'the key to that screen' },
  { name: 'dbus', program: 'dbus-run-session', use: 'a session bus for tray and key ring' },
  { name: 'libgtk-3-0', library: 'libgtk-3.so.0', use: 'Electron' },
  { name: 'libnss3', library: 'libnss3.so', use: 'Electron' },
  { name: 'libgbm1', library: 'libgbm.so.1', use: 'Electron' },
  { name: 'libasound2', library: 'libasound.so.2', use: 'Electron' },
  { name: 'libnotify4', library: 'libnotify.so.4', use: 'notifications of the window' },
  { name: 'p7zip-full', program: '7za', use: 'packing tar.gz' },
];
