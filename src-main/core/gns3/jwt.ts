// Reads the expiry of a token of the GNS3 server, which the server itself does not enforce (measured on 3.0.6).
import * as z from 'zod';

const claimsSchema = z.object({ exp: z.number().optional() });

/** Epoch milliseconds at which the token expires; undefined when it says nothing that can be read. The signature is the server's business. */
export function expiryOf(token: string): number | undefined {
  const [, payload] = token.split('.');
  if (payload === undefined) return undefined;
  try {
    const { exp } = claimsSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
    return exp === undefined ? undefined : exp * 1000;
  } catch {
    // Not a token of this form: API keys and other controllers' tokens are opaque.
    return undefined;
  }
}
