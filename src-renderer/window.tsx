// Entry of the window: all roles, over the port that the preload script hands over.
import { portDoor } from './connection/port-door.ts';
import { startView } from './start.tsx';

startView(portDoor, null).link.connect();
