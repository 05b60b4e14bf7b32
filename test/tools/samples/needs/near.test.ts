export const near = 1;
