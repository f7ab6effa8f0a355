import { parseLocated } from '../../common/document/located-document';
import { checkNetwork } from './check-network';
import { networkSchema } from './schema';
import type { NetworkDocument } from './schema';

/**
 * Reads a network document from YAML or JSON text.
 * @throws InputError naming file, line, path and expectation of every fault.
 */
export function parseNetwork(text: string, file: string): NetworkDocument {
  const located = parseLocated(text, file, networkSchema, 'network document');
  checkNetwork(located);
  return located.value;
}
