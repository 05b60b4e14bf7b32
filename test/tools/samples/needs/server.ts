// Needs: a-missing-package
export const far = 1;
