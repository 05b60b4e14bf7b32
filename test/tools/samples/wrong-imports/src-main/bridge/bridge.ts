import * as z from 'zod';
export const bridge = z;
