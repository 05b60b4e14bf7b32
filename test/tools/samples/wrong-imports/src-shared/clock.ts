import fs from 'node:fs';
import { session } from '../src-main/core/session.ts';
export const clock = [fs, session];
