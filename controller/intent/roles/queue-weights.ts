import { InputError } from '../../../common/errors';
import type { PortDocument, TelemetryDocument } from '../../document/schema';

/**
 * Weights of the queues of a port, by queue: those of the classes, and where the port has others, these.
 * Queues without one are left out.
 * @throws InputError for classes that give one queue different weights.
 */
export function queueWeights(
  { classes }: Pick<TelemetryDocument, 'classes'>,
  port?: PortDocument,
): ReadonlyMap<number, number> {
  const weights = new Map<number, number>();
  for (const { queue, weight } of classes) {
    const known = weights.get(queue);
    if (weight === undefined || known === weight) continue;
    if (known !== undefined) {
      throw new InputError(
        `telemetry.classes: queue ${queue} has the weights ${known} and ${weight}`,
      );
    }
    weights.set(queue, weight);
  }
  for (const { priority, weight } of port?.priorities ?? []) {
    if (weight !== undefined) weights.set(priority, weight);
  }
  return weights;
}
