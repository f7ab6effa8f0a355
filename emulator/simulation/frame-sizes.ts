import type { Bytes } from '../../common/units/units';
import { AETH_LENGTH } from '../../common/wire/roce/aeth';
import { AUTH_TRAILER_LENGTH } from '../../common/wire/security/auth-trailer';
import { TELEMETRY_RESPONSE_LENGTH } from '../../common/wire/roce/telemetry-response';
import { hopLength } from '../../host-agent/feedback/feedback-plan';
import { ROCE_DATA_HEADER_LENGTH } from '../../host-agent/roce/packets/peer-frames';
import { DATA_HEADER_LENGTH } from '../../host-agent/transport/frames/frame-template';
import type { Parameters } from '../scenario/schema';
import type { FrameSizes } from '../network/paths';

/** How long the frames of a scenario's hosts are. */
export function frameSizesOf(parameters: Parameters): FrameSizes {
  const { segmentBytes: payload, queueMeasure, authentication, transport, operation } = parameters;
  const isRoce = transport === 'rocev2';
  const header = isRoce ? ROCE_DATA_HEADER_LENGTH : DATA_HEADER_LENGTH;
  const signature = authentication === 'on' ? AUTH_TRAILER_LENGTH : 0;
  return {
    payload,
    data: header + payload,
    hop: hopLength({ asksSojourn: queueMeasure === 'sojourn' }),
    acknowledgement: signature + (isRoce ? roceFeedbackLength(operation) : 0),
  };
}

/** READ data is reported by telemetry responses; the rest is acknowledged. */
const roceFeedbackLength = (operation: Parameters['operation']): Bytes =>
  operation === 'read' ? TELEMETRY_RESPONSE_LENGTH : AETH_LENGTH;
