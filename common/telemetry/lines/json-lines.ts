import type { CarrierHop } from '../../hop/hop';
import { telemetryLine } from '../decode/telemetry-line';
import type { Telemetry } from '../decode/telemetry';
import { encode } from './byte-text';
import type { ByteText, EncodedText } from './byte-text';
import type { LineFormat, LineHead } from './line-format';
import { HOP_FIELDS } from './telemetry-fields';

const COMMA = 44;
const QUOTE = 34;
const CLOSE = 125;
const NEW_LINE = 10;

/** One object of JSON per telemetry: just what {@link telemetryLine} makes, written faster. */
export class JsonLines implements LineFormat {
  /** Details are often the same object, as texts of them are then. */
  readonly #details = new WeakMap<object, EncodedText>();

  start(): void {}

  write(out: ByteText, head: LineHead, telemetry: Telemetry): void {
    if ('fault' in telemetry) {
      const { frame, time, decoded } = head;
      out.text(JSON.stringify(telemetryLine(frame, time, decoded, telemetry)));
      out.character(NEW_LINE);
      return;
    }
    this.#head(out, head);
    out.encoded(FORMAT);
    out.text(telemetry.format);
    out.character(QUOTE);
    out.encoded(this.#detailsText(telemetry.details));
    out.encoded(HOPS);
    for (const [i, hop] of telemetry.hops.entries()) {
      if (i > 0) out.character(COMMA);
      writeHop(out, hop);
    }
    out.encoded(END);
  }

  #head(out: ByteText, { frame, time, decoded: { ip, transport } }: LineHead): void {
    out.encoded(FRAME);
    out.number(frame);
    if (time !== undefined) {
      out.encoded(TIME);
      out.number(time.seconds);
      out.encoded(POINT);
      out.nineDigits(time.nanoseconds);
      out.character(QUOTE);
    }
    if (ip === undefined) return;
    out.encoded(FLOW);
    out.text(ip.source);
    out.encoded(DESTINATION);
    out.text(ip.destination);
    out.encoded(PROTOCOL);
    if (transport === undefined) {
      out.number(ip.protocol);
    } else {
      out.encoded(transport.protocol === 'udp' ? UDP : TCP);
      out.number(transport.sourcePort);
      out.encoded(DESTINATION_PORT);
      out.number(transport.destinationPort);
    }
    out.encoded(DSCP);
    out.number(ip.dscp);
    out.character(CLOSE);
  }

  /** The members with a comma in front, or nothing. */
  #detailsText(details: object): EncodedText {
    const known = this.#details.get(details);
    if (known !== undefined) return known;
    const members = JSON.stringify(details).slice(1, -1);
    const text = encode(members === '' ? '' : `,${members}`);
    this.#details.set(details, text);
    return text;
  }
}

const FRAME = encode('{"frame":');
const TIME = encode(',"time":"');
const POINT = encode('.');
const FLOW = encode(',"flow":{"source":"');
const DESTINATION = encode('","destination":"');
const PROTOCOL = encode('","protocol":');
const UDP = encode('"udp","sourcePort":');
const TCP = encode('"tcp","sourcePort":');
const DESTINATION_PORT = encode(',"destinationPort":');
const DSCP = encode(',"dscp":');
const FORMAT = encode(',"format":"');
const HOPS = encode(',"hops":[');
const END = encode(']}\n');

const HOP_KEYS = HOP_FIELDS.map(([name]) => encode(`,"${name}":`));
const OPEN = 123;

/** The first comma becomes the brace. */
function writeHop(out: ByteText, hop: CarrierHop): void {
  const start = out.length;
  for (let i = 0; i < HOP_FIELDS.length; i++) {
    const value = hop[(HOP_FIELDS[i] as (typeof HOP_FIELDS)[number])[1]];
    if (value === undefined) continue;
    out.encoded(HOP_KEYS[i] as EncodedText);
    out.number(value);
  }
  const { fields } = hop;
  if (fields !== undefined) {
    const members = JSON.stringify(fields).slice(1, -1);
    if (members !== '') out.text(`,${members}`);
  }
  if (out.length === start) out.character(OPEN);
  else out.replace(start, OPEN);
  out.character(CLOSE);
}
