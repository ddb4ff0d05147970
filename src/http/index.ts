/** The public API of the HTTP layer. */

export type { DropReason } from './connections.js';
export { DEFAULT_HTTP_LIMITS, type HttpLimits } from './connections.js';
export { createServer, holdRequests } from './create-server.js';
export type { Asset, PlaygroundFiles } from './pages/assets.js';
export type { RequestLogEntry } from './request-listener.js';
export { createRequestIds, type ListenerOptions, requestListener } from './request-listener.js';
export { describeInterface } from './routes/catalogue.js';
export { BASE_PATH } from './routes/route.js';
