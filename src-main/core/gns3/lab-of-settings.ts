// Makes the lab that the settings name, with its certificate authority and its login.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { appError } from '../../../src-shared/errors.ts';
import type { Settings } from '../../../src-shared/settings/index.ts';
import { systemClock } from '../clock.ts';
import { reasonOf } from '../config/system-error.ts';
import type { SecretNet } from '../core.ts';
import type { Gns3Address } from './http.ts';
import { createLab } from './lab.ts';
import type { Lab } from './lab.ts';
import { loginTokens } from './tokens.ts';

/** The lab; undefined when no GNS3 server is set up. Rejects with INVALID_PARAMS when the CA file cannot be read. */
export async function labOfSettings(settings: Settings, secrets: SecretNet): Promise<Lab | undefined> {
  const address = await addressOf(settings);
  if (address === undefined) return undefined;
  const { GNS3_USERNAME: username, GNS3_PASSWORD: password } = settings;
  if (password !== '') secrets.learn(password);
  return createLab({ address, tokens: loginTokens({ address, username, password, clock: systemClock, secrets }) });
}

/** Where the server is; a path that people copy from elsewhere (`/v3`, a slash) is left out. */
export async function addressOf(settings: Settings): Promise<Gns3Address | undefined> {
  if (settings.GNS3_URL === '') return undefined;
  const base = settings.GNS3_URL.replace(/\/+$/, '').replace(/\/v[23]$/, '');
  const file = settings.GNS3_CA_FILE;
  return file === '' ? { base } : { base, ca: await readAuthority(file) };
}

async function readAuthority(file: string): Promise<string> {
  if (!path.isAbsolute(file)) throw unreadable(file, 'it is not an absolute path');
  try {
    const text = await readFile(file, 'utf8');
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  } catch (error) {
    throw unreadable(file, reasonOf(error));
  }
  throw unreadable(file, 'it holds no certificate in PEM form');
}

function unreadable(file: string, why: string): Error {
  const hint =
    'Name a PEM file of the authority that signed the certificate of the GNS3 server, or leave GNS3_CA_FILE empty.';
  return appError('INVALID_PARAMS', { message: `GNS3_CA_FILE ${file}: ${why}`, hint });
}
