// Catches the error a promise rejects with, as the data that clients get.
import type { ErrorData } from '../../src-shared/errors.ts';
import { AppError, toErrorData } from '../../src-shared/errors.ts';

/** Rejects when the promise resolves, or rejects with something that is no AppError. */
export async function appErrorOf(promise: Promise<unknown>): Promise<ErrorData> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof AppError) return toErrorData(error);
    throw error;
  }
  throw new Error('it did not fail');
}
