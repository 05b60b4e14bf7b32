// The form behind "Connect to a host": what was typed, what is wrong with it, and the call it makes.
import { sessionNameSchema } from '../../../src-shared/model/index.ts';
import type { CallInput } from '../../../src-shared/protocol/index.ts';

export type LoginWay = 'config' | 'key' | 'password' | 'agent';

/** What the person typed. */
export interface ConnectForm {
  readonly host: string;
  readonly port: string;
  readonly username: string;
  readonly name: string;
  readonly way: LoginWay;
  readonly keyFile: string;
  readonly passphrase: string;
  readonly password: string;
}

export const EMPTY_FORM: ConnectForm = {
  host: '',
  port: '',
  username: '',
  name: '',
  way: 'key',
  keyFile: '~/.ssh/id_ed25519',
  passphrase: '',
  password: '',
};

let kept: ConnectForm = EMPTY_FORM;

/** What was typed when the dialog was closed: it is there again when it opens. Only in memory. */
export const keptForm = (): ConnectForm => kept;

/** Remembers what was typed. */
export function keepForm(form: ConnectForm): void {
  kept = form;
}

/** A sentence for each field that is wrong. */
export type ConnectFaults = Partial<Record<keyof ConnectForm, string>>;

const isPort = (text: string): boolean => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;

/** What is wrong with the form; empty when it can be sent. */
export function faultsOf(form: ConnectForm, taken: ReadonlySet<string>): ConnectFaults {
  const faults: ConnectFaults = {};
  const name = nameOf(form, taken);
  if (form.host.trim() === '') faults.host = 'Enter a host name, an address, or an alias of your ssh_config.';
  if (form.port !== '' && !isPort(form.port)) faults.port = 'A whole number from 1 to 65535.';
  if (form.host.trim() !== '' && !sessionNameSchema.safeParse(name).success)
    faults.name = 'Letters, digits, hyphen and underscore, at most 64.';
  else if (taken.has(name)) faults.name = `A session named ${name} is open already.`;
  if (form.way === 'key' && form.keyFile.trim() === '') faults.keyFile = 'Enter the path of a private key.';
  if (form.way === 'password' && form.password === '') faults.password = 'Enter the password.';
  return faults;
}

/** The name that was typed, or one made of the host that is still free. */
export function nameOf(form: ConnectForm, taken: ReadonlySet<string>): string {
  if (form.name.trim() !== '') return form.name.trim();
  const isAddress = /^[\d.]+$/.test(form.host) || form.host.includes(':');
  const host = isAddress ? form.host : (form.host.split('.')[0] ?? '');
  const base = host
    .trim()
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base}-${number}`;
  return name;
}

function credentialsOf(form: ConnectForm): CallInput<'session.connect'>['credentials'] {
  const username = form.username.trim() === '' ? {} : { username: form.username.trim() };
  switch (form.way) {
    case 'key':
      return {
        ...username,
        keyFile: form.keyFile.trim(),
        ...(form.passphrase === '' ? {} : { passphrase: form.passphrase }),
      };
    case 'password':
      return { ...username, password: form.password };
    case 'agent':
      return { ...username, agent: true };
    case 'config':
      return form.username.trim() === '' ? undefined : username;
    default:
      return form.way satisfies never;
  }
}

/** The call's input. */
export function connectInput(form: ConnectForm, taken: ReadonlySet<string>): CallInput<'session.connect'> {
  const credentials = credentialsOf(form);
  return {
    name: nameOf(form, taken),
    host: form.host.trim(),
    ...(form.port === '' ? {} : { port: Number(form.port) }),
    ...(credentials === undefined ? {} : { credentials }),
  };
}
