import { far } from './between.ts';
far;
