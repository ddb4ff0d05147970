/** The HTTP adapter's public names. */
export { createServer } from './create-server.js';
export { BASE_PATH, type ListenerOptions, requestListener } from './request-listener.js';
