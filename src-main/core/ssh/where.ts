// How a connection's target is named in messages and known_hosts lines.

/** The target of a connect. */
export interface Where {
  readonly host: string;
  readonly port: number;
  readonly username: string;
}

/** `host:port`, with brackets around an IPv6 address. */
export function hostAndPort({ host, port }: Pick<Where, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The facts of a target that errors carry. */
export function whereDetails({ host, port }: Where): { readonly host: string; readonly port: number } {
  return { host, port };
}
