// import { ignored } from 'electron';
import { Client } from 'ssh2';
import { app } from 'electron';
import { lane } from './lane';
import { host } from '../../src-shared/model/host.ts';
import type { Command } from './command.ts';
import path from 'path';
const text = "import 'electron'";
export const session = [Client, app, lane, host, path, text] as unknown as Command;
