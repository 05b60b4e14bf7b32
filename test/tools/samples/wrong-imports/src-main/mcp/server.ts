import { McpServer } from '@modelcontextprotocol/server';
import { session } from '../core/session.ts';
export const server = [McpServer, session];
