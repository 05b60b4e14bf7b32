import { useState } from 'react';
import { session } from '../src-main/core/session.ts';
export const window = [useState, session];
