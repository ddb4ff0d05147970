/** A request that is refused for one thing, with its place and what would be right. */
import { ServiceError } from '../../service/index.js';

/** @param pointer - JSON Pointer into the parameters; `''` for the request as a whole. */
export function malformed(pointer: string, code: string, message: string): ServiceError {
  return new ServiceError('malformed_body', { problems: [{ pointer, code, message }] });
}
