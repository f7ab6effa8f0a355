import { code } from '../text/code';
import type { Code } from '../text/code';
import type { Scope } from '../value/scope';

/** Names of the errors that the parser itself raises, as core.p4 declares them. */
export type ParserFault =
  | 'PacketTooShort'
  | 'StackOutOfBounds'
  | 'HeaderTooShort'
  | 'ParserInvalidArgument'
  | 'ParserTimeout';

/** Codes of p4c, for programs that leave out the table of errors. */
const DEFAULT_CODES: Record<ParserFault, number> = {
  PacketTooShort: 1,
  StackOutOfBounds: 3,
  HeaderTooShort: 4,
  ParserTimeout: 5,
  ParserInvalidArgument: 6,
};

export function faultCode(fault: ParserFault, { program }: Scope): Code {
  return code`${program.errors.get(fault) ?? DEFAULT_CODES[fault]}`;
}

/** Ends the parser with an error. */
export function stop(error: Code): Code {
  return code`return stopParsing(packet, offset, ${error});`;
}

/** Ends the parser when so many bytes are not there. */
export function emitLengthCheck(bytes: Code, scope: Scope): void {
  const tooShort = stop(faultCode('PacketTooShort', scope));
  scope.writer.line(code`if (offset + ${bytes} > bytes.length) ${tooShort}`);
}
