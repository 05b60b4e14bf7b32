import { lane } from './lane.ts';
export type Command = string;
export const command = () => lane;
export const late = () => import('./missing.ts');
