/** `POST /oauth/authorize/approve` and `…/deny`: the sandbox's programs decide for a person (V1, S69–S76). */
import { readJsonBody } from '../parameters/body.js';
import { assertOnly, optionalText, optionalTexts, requiredText } from '../parameters/typed.js';
import { toTimestamp } from '../wire.js';
import { BASE_PATH, json, type Route } from './route.js';

export const oauthAuthorizeApprove: Route = {
  methods: ['POST'],
  path: `${BASE_PATH}/oauth/authorize/approve`,
  crossOrigin: 'none',
  answer: async (request, service) => {
    const body = await readJsonBody(request);
    assertOnly(body, ['authorization_id', 'scopes']);
    const id = requiredText(body, 'authorization_id');
    const approved = await service.approve(id, undefined, optionalTexts(body, 'scopes'));
    const { authorization, application, scopes } = approved;
    return json({
      authorization_id: id,
      status: 'approved',
      code: approved.code,
      code_expires_at: toTimestamp(approved.codeExpiresAt),
      scopes: authorization.requestedScopes,
      granted_scopes: scopes,
      app_scoped_user_id: service.subjectOf(application.organizationId, approved.userId),
      organization_id: application.organizationId,
      redirect_uri: authorization.redirectUri,
      client_id: application.clientId,
      state: authorization.state,
    });
  },
};

export const oauthAuthorizeDeny: Route = {
  methods: ['POST'],
  path: `${BASE_PATH}/oauth/authorize/deny`,
  crossOrigin: 'none',
  answer: async (request, service) => {
    const body = await readJsonBody(request);
    assertOnly(body, ['authorization_id', 'reason']);
    const id = requiredText(body, 'authorization_id');
    optionalText(body, 'reason');
    const { authorization, application } = await service.deny(id);
    return json({
      authorization_id: id,
      status: 'denied',
      redirect_uri: authorization.redirectUri,
      state: authorization.state,
      client_id: application.clientId,
    });
  },
};
