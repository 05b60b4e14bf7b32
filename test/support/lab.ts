// A lab client of a test, on a real server or a made-up one.
import { systemClock } from '../../src-main/core/clock.ts';
import { createLab } from '../../src-main/core/gns3/lab.ts';
import type { Lab } from '../../src-main/core/gns3/lab.ts';
import { loginTokens } from '../../src-main/core/gns3/tokens.ts';
import { createSecretNet } from '../../src-main/core/log/secret-net.ts';

/** A client that logs in with this name and password. */
export function labAt(base: string, password: string, username = 'admin'): Lab {
  const address = { base };
  const secrets = createSecretNet();
  return createLab({ address, tokens: loginTokens({ address, username, password, clock: systemClock, secrets }) });
}
