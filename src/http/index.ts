/** The HTTP adapter's public names. */

export { createServer } from './create-server.js';
export { createRequestIds } from './request-ids.js';
export { type ListenerOptions, requestListener } from './request-listener.js';
export { BASE_PATH } from './routes/route.js';
