import { command } from './command.ts';
export const lane = command;
