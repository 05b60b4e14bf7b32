export { far } from './server.ts';
