/** `GET /openapi.json`: this interface, for programs that make clients and tests of it. */
import { openApiDocument } from '../openapi.js';
import { ROUTES } from './catalogue.js';
import { BASE_PATH, type Route } from './route.js';

const CACHE = { 'Cache-Control': 'public, max-age=300' };

export const openapi: Route = {
  operations: {
    GET: {
      id: 'readOpenApi',
      summary: 'This document.',
      caller: 'anyone',
      answers: ['OpenApi'],
    },
  },
  path: `${BASE_PATH}/openapi.json`,
  crossOrigin: 'anyone',
  answer: async (_request, service, { version }) => ({
    kind: 'json',
    status: 200,
    headers: CACHE,
    // The routes are read when somebody asks: this one is among them.
    body: openApiDocument(ROUTES, service.settings.issuer, version),
  }),
};
