// Writes a private key in OpenSSH's unencrypted format (PROTOCOL.key), which ssh2 parses quickly for every key type.
import type { JsonWebKey } from 'node:crypto';

const MAGIC = Buffer.from('openssh-key-v1\0', 'latin1');
const BLOCK = 8;
const LINE = 70;

const CURVES: Readonly<Record<string, string>> = { 'P-256': 'nistp256', 'P-384': 'nistp384', 'P-521': 'nistp521' };

/** Throws a plain Error for key types that SSH does not have. */
export function packOpensshKey(jwk: JsonWebKey): string {
  const { publicBlob, privateFields } = partsOf(jwk);
  const none = string(Buffer.from('none'));
  const body = Buffer.concat([Buffer.alloc(8), ...privateFields, string(Buffer.alloc(0))]);
  const padding = Buffer.from(Array.from({ length: (BLOCK - (body.length % BLOCK)) % BLOCK }, (_, i) => i + 1));
  const secret = string(Buffer.concat([body, padding]));
  const count = Buffer.from([0, 0, 0, 1]);
  const whole = Buffer.concat([MAGIC, none, none, string(Buffer.alloc(0)), count, string(publicBlob), secret]);
  const lines = whole.toString('base64').match(new RegExp(`.{1,${LINE}}`, 'g')) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n');
}

interface Parts {
  readonly publicBlob: Buffer;
  readonly privateFields: readonly Buffer[];
}

function partsOf(jwk: JsonWebKey): Parts {
  switch (jwk.kty) {
    case 'RSA':
      return rsaParts(jwk);
    case 'EC':
      return ecdsaParts(jwk);
    case 'OKP':
      return ed25519Parts(jwk);
    default:
      throw new Error(`keys of type ${jwk.kty ?? 'unknown'} cannot be used for SSH`);
  }
}

function rsaParts(jwk: JsonWebKey): Parts {
  const type = string(Buffer.from('ssh-rsa'));
  const [n, e, d, qi, p, q] = [jwk.n, jwk.e, jwk.d, jwk.qi, jwk.p, jwk.q].map((part) => mpint(bytes(part)));
  if (!n || !e || !d || !qi || !p || !q) throw new Error('the RSA key is not complete');
  return { publicBlob: Buffer.concat([type, e, n]), privateFields: [type, n, e, d, qi, p, q] };
}

function ecdsaParts(jwk: JsonWebKey): Parts {
  const curve = CURVES[jwk.crv ?? ''];
  if (curve === undefined) throw new Error(`the curve ${jwk.crv ?? 'unknown'} cannot be used for SSH`);
  const type = string(Buffer.from(`ecdsa-sha2-${curve}`));
  const name = string(Buffer.from(curve));
  const point = string(Buffer.concat([Buffer.from([4]), bytes(jwk.x), bytes(jwk.y)]));
  return {
    publicBlob: Buffer.concat([type, name, point]),
    privateFields: [type, name, point, mpint(bytes(jwk.d))],
  };
}

function ed25519Parts(jwk: JsonWebKey): Parts {
  if (jwk.crv !== 'Ed25519') throw new Error(`the curve ${jwk.crv ?? 'unknown'} cannot be used for SSH`);
  const type = string(Buffer.from('ssh-ed25519'));
  const open = bytes(jwk.x);
  return {
    publicBlob: Buffer.concat([type, string(open)]),
    privateFields: [type, string(open), string(Buffer.concat([bytes(jwk.d), open]))],
  };
}

function bytes(base64url: string | undefined): Buffer {
  return Buffer.from(base64url ?? '', 'base64url');
}

function string(content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, content]);
}

/** A positive number: no leading zeros, but one where the first bit would make it negative. */
function mpint(content: Buffer): Buffer {
  let start = 0;
  while (start < content.length && content[start] === 0) start += 1;
  const number = content.subarray(start);
  const negative = (number[0] ?? 0) >= 0x80;
  return string(negative ? Buffer.concat([Buffer.alloc(1), number]) : number);
}
