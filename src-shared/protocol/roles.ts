// Who may do what over the protocol of the views; checked once, at the gateway.

/** `viewer` watches; `operator` types and answers; `owner` (the window) also changes settings and sees tokens. */
export type Role = 'viewer' | 'operator' | 'owner';

const RANK: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, owner: 2 };

/** True when `role` includes everything `needed` may do. */
export function roleAllows(role: Role, needed: Role): boolean {
  return RANK[role] >= RANK[needed];
}
