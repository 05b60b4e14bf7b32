// What the operating system says about a file, in code and in words. Free of packages, for the bridge.

/** `code` of an error of the operating system, such as `EACCES`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** True for the error that a missing file gives. */
export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EEXIST: 'it is a file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
};

/** The reason in a few words. */
export function reasonOf(error: unknown): string {
  const code = errorCode(error) ?? 'unknown reason';
  return REASONS[code] ?? code;
}
