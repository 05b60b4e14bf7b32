export const host = 'web-1';
