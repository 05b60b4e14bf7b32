// What Patchbay is compared with: plain ssh2, without delay on its socket, and the ssh program.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import net from 'node:net';
import { once } from 'node:events';
import ssh2 from 'ssh2';
import type { Client } from 'ssh2';
import type { TestSshd } from '../support/sshd.ts';

/** A logged-in ssh2 client over a socket with TCP_NODELAY. */
export async function connectRaw(sshd: TestSshd): Promise<Client> {
  const socket = net.connect(sshd.port, sshd.host);
  socket.setNoDelay(true);
  const client = new ssh2.Client();
  const privateKey = await fs.readFile(sshd.account.keyFile);
  const ready = once(client, 'ready');
  client.connect({ sock: socket, username: sshd.account.name, privateKey });
  await ready;
  return client;
}

/** Runs a command in its own exec channel; resolves with the size of stdout when the channel has closed. */
export function execRaw(client: Client, command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    client.exec(command, (error, channel) => {
      if (error !== undefined) {
        reject(error);
        return;
      }
      let bytes = 0;
      channel.on('data', (chunk: Buffer) => (bytes += chunk.length));
      channel.stderr.resume();
      channel.on('close', () => resolve(bytes));
    });
  });
}

/** Options that keep the ssh program to this server and this key. */
export function sshOptions(sshd: TestSshd): readonly string[] {
  const ways = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR', 'IdentitiesOnly=yes'];
  const plain = ['-F', '/dev/null', '-p', String(sshd.port), '-i', sshd.account.keyFile];
  return [...plain, ...ways.flatMap((way) => ['-o', way])];
}

/** `ssh host cat FILE`, piped to wc; resolves with its count. `more` are further options of ssh. */
export async function sshCat(sshd: TestSshd, file: string, more: readonly string[] = []): Promise<{ bytes: number }> {
  const target = `${sshd.account.name}@${sshd.host}`;
  const ssh = spawn('ssh', [...sshOptions(sshd), ...more, target, `cat ${file}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const count = spawn('wc', ['-c'], { stdio: [ssh.stdout, 'pipe', 'inherit'] });
  let text = '';
  count.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(count, 'close');
  return { bytes: Number(text.trim()) };
}

/** sha256 of a file, in hexadecimal. */
export async function sha256OfFile(file: string): Promise<string> {
  return createHash('sha256')
    .update(await fs.readFile(file))
    .digest('hex');
}
