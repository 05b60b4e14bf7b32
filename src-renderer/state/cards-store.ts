// What waits for an answer of the person.
import { createStore } from 'zustand/vanilla';
import type { Card } from '../../src-shared/model/index.ts';

export interface CardsState {
  readonly cards: readonly Card[];
}

/** Makes the store. */
export const createCardsStore = () => createStore<CardsState>(() => ({ cards: [] }));
