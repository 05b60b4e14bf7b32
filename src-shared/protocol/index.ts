// The protocol between gateway and views, one name at a time.
export { CALLS, appStateSchema, laneSchema, settingValueSchema } from './calls.ts';
export type { AppState, CallInput, CallName, CallOutput } from './calls.ts';
export {
  PATHS,
  SOCKET_CLOSE,
  accessSchema,
  httpErrorSchema,
  loginBodySchema,
  sessionPath,
  ticketBodySchema,
} from './doors.ts';
export { EVENTS } from './events.ts';
export type { EventName, EventPayload } from './events.ts';
export { FRAME_HEADER_BYTES, decodeFrame, encodeFrame } from './frames.ts';
export type { FrameKind, StreamFrame } from './frames.ts';
export { requestSchema, serverMessageSchema } from './messages.ts';
export type { Request, ServerMessage } from './messages.ts';
export { roleAllows } from './roles.ts';
export type { Role } from './roles.ts';
export { MARK_OSC, decodeMark, encodeMark } from './transcript.ts';
export type { TranscriptMark } from './transcript.ts';
export { PORT_HANDOVER, PORT_REQUEST } from './window-port.ts';
