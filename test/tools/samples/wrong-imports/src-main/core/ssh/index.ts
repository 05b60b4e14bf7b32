import { Client } from 'ssh2';
export const connect = () => new Client();
