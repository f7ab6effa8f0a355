-- Telemetry that Wireshark does not show: INT over TCP and UDP, the HPCC transport header, HPCC
-- padding, IFA 2, CSIG, telemetry reports and what is inside of them, and the tags and notifications of
-- coordinated congestion management. A postdissector reads the whole frame again, because a
-- DSCP is no place at which a dissector can be registered.
--
-- Written for Wireshark 3.6 and later. Bits are read with bitfield(), which all versions of Lua in
-- Wireshark have; libraries for bit arithmetic differ.

local hpcc = Proto("hpcc", "HPCC telemetry")

local CSIG_DIALECTS = { { 1, "IETF", 1 }, { 2, "UEC", 2 } }
local PADDINGS = {
  { 1, "none", 0 }, { 2, "published", 1 }, { 3, "aligned", 2 }, { 4, "ns-3", 3 },
}

local prefs = hpcc.prefs
prefs.int_dscp = Pref.uint("DSCP of INT", 0x17, "DSCP that announces INT after TCP or UDP")
prefs.int_port = Pref.uint("UDP port of INT", 50000, "UDP port that announces INT")
prefs.transport_port = Pref.uint("UDP port of the HPCC transport", 50002, "")
prefs.usid_block = Pref.string("Block of uSIDs", "fd485044", "First bytes of IPv6 destinations that are paths")
prefs.report_port = Pref.uint("UDP port of telemetry reports", 50003, "")
prefs.ccm_port = Pref.uint("UDP port of coordination notifications", 50001, "")
prefs.ccm_tpid = Pref.uint("EtherType of coordination tags", 0x88b5, "")
prefs.int_domain = Pref.uint("INT domain with coordination", 0x4850, "Its DS flags have the tag")
prefs.roce_port = Pref.uint("UDP port of RoCEv2", 4791, "Where HPCC padding is looked for")
prefs.ifa_protocol = Pref.uint("IP protocol of IFA", 253, "")
prefs.ifa_protocol2 = Pref.uint("Second IP protocol of IFA", 131, "")
prefs.csig_tpid = Pref.uint("EtherType of CSIG", 0x9900, "")
prefs.csig_dialect = Pref.enum("Layout of CSIG", 1, "", CSIG_DIALECTS, false)
prefs.padding = Pref.enum("HPCC padding", 0, "Form of padding after UDP", PADDINGS, false)

local fields = {}

-- Declares the field hpcc.<name> of a type.
local function field(kind, name, label, base)
  local made = ProtoField[kind]("hpcc." .. name, label, base)
  fields[name] = made
end

local function fields8(names) for _, n in ipairs(names) do field("uint8", n, n) end end
local function fields16(names) for _, n in ipairs(names) do field("uint16", n, n) end end
local function fields32(names) for _, n in ipairs(names) do field("uint32", n, n) end end

fields8 {
  "ioam.hop_limit", "ioam.node_words", "ioam.overflow", "ioam.remaining", "ioam.type", "ioam.next_protocol",
  "int.type", "int.npt", "int.length", "int.version", "int.discard", "int.hop_limit_exceeded",
  "int.mtu_exceeded", "int.feedback", "int.hop_ml", "int.remaining_hops", "int.queue_id", "int.buffer_id",
  "padding.nhop", "padding.speed",
  "ifa.version", "ifa.gns", "ifa.next_header", "ifa.max_length", "ifa.request", "ifa.action",
  "ifa.hop_limit", "ifa.length", "ifa.lns", "ifa.ttl", "ifa.speed", "ifa.congestion",
  "ifa.queue_id",
  "ccm.version", "ccm.cc", "ccm.ar_valid", "ccm.type", "ccm.length", "ccm.key_id", "ccm.protocol",
  "ccm.traffic_class", "ccm.queue_id", "ccm.severity",
  "int.max_hops", "int.total_hops", "int.congested_queue_id",
  "csig.type", "csig.signal", "csig.locator", "csig.do_not_update",
  "report.version", "report.hw_id", "report.type", "report.inner_type", "report.length",
  "roce.opcode", "roce.pad_count", "roce.fecn", "roce.becn", "roce.ack_request", "roce.trimmed",
  "report.md_length", "report.dropped", "report.congested", "report.tracked",
  "report.intermediate", "report.queue_id", "report.drop_reason",
}
fields16 {
  "ioam.namespace", "ioam.ingress", "ioam.egress",
  "int.original_dscp", "int.original_port", "int.original_protocol", "int.ingress", "int.egress",
  "ifa.egress", "ifa.ingress", "ccm.source_port", "ccm.destination_port",
}
fields32 {
  "ioam.node_id", "ioam.seconds", "ioam.fraction", "ioam.transit_delay", "ioam.namespace_data",
  "ioam.queue_depth", "ioam.checksum_complement", "ioam.buffer_occupancy", "ioam.undefined_word",
  "ioam.trace_type", "ioam.flow_id", "ioam.sequence",
  "int.node_id", "int.hop_latency", "int.queue_occupancy", "int.ingress2", "int.egress2",
  "int.utilization", "int.buffer_occupancy", "int.reserved", "int.domain_word",
  "int.checksum_complement", "int.capacity_mbps", "int.queue_bytes", "int.ingress_ts32",
  "int.egress_ts32", "int.congestion_status", "report.ingress_ts",
  "padding.time", "padding.tx_units", "padding.queue_units",
  "ccm.ar_id", "ccm.sender", "ccm.discriminator", "ccm.queue_bytes", "ccm.time",
  "ifa.device", "ifa.rx_seconds", "ifa.rx_ns", "ifa.residence_ns", "ifa.opaque1", "ifa.opaque2",
  "ifa.opaque3",
  "report.sequence", "report.node_id",
  "roce.destination_qp", "roce.psn",
}
for _, name in ipairs {
  "int.ingress_ts", "int.egress_ts", "int.tx_bytes", "ccm.sequence", "ioam.wide",
} do
  field("uint64", name, name)
end
for _, name in ipairs {
  "int.bitmap", "int.domain", "int.ds_instruction", "int.ds_flags", "padding.path_id",
  "report.md_bits", "report.domain", "report.ds_bits", "report.ds_status",
} do
  field("uint16", name, name, base.HEX)
end
field("uint8", "ifa.flags", "ifa.flags", base.HEX)
field("uint8", "ccm.flags", "ccm.flags", base.HEX)
field("uint16", "usid", "usid", base.HEX)
for _, name in ipairs { "ccm.source", "ccm.destination" } do field("ipv4", name, name) end
for _, name in ipairs { "ccm.source6", "ccm.destination6" } do field("ipv6", name, name) end
field("bytes", "ccm.mac", "ccm.mac")

-- begin of the layouts, made by npm run wire-docs from common/wire/transport-layouts.ts
local layouts = {
  transport = { title = "HPCC transport", size = 16,
    { "version", 0, 4, "number" },
    { "type", 4, 4, "number" },
    { "flags", 8, 8, "hex" },
    { "generation", 16, 16, "number" },
    { "length", 32, 16, "number" },
    { "flow_id", 48, 24, "number" },
    { "sequence", 72, 56, "number" },
  },
  token = { title = "Token of the flow", size = 8,
    { "token", 0, 64, "hex" },
  },
  cookie = { title = "Cookie", size = 8,
    { "cookie", 0, 64, "hex" },
  },
  auth = { title = "Authentication", size = 28,
    { "auth_key_id", 0, 8, "number" },
    { "auth_sequence", 32, 64, "hex" },
    { "auth_code", 96, 128, "hex" },
  },
  window = { title = "Window of the receiver", size = 16,
    { "epoch", 0, 32, "number" },
    { "flows", 32, 16, "number" },
    { "window_bytes", 64, 64, "q16" },
  },
  load = { title = "Load of the bottleneck", size = 8,
    { "load_ratio", 0, 32, "q16" },
    { "interval_ns", 32, 32, "number" },
  },
  switch_response = { title = "Response of a switch", size = 8,
    { "hop_index", 0, 8, "number" },
    { "sequence_kind", 8, 8, "number" },
    { "protocol", 16, 8, "number" },
    { "ttl", 24, 8, "number" },
    { "flow_source_port", 32, 16, "number" },
    { "flow_destination_port", 48, 16, "number" },
  },
  selective_ack = { title = "Selective acknowledgement", size = 28,
    { "sack_version", 0, 8, "number" },
    { "sack_blocks", 8, 8, "number" },
    { "sack_from1", 32, 32, "number" },
    { "sack_bytes1", 64, 32, "number" },
    { "sack_from2", 96, 32, "number" },
    { "sack_bytes2", 128, 32, "number" },
    { "sack_from3", 160, 32, "number" },
    { "sack_bytes3", 192, 32, "number" },
  },
  path_shim = { title = "Time or demand, and digest (PINT)", size = 8,
    { "shim_version", 0, 4, "number" },
    { "has_demand", 5, 1, "flag" },
    { "has_digest", 6, 1, "flag" },
    { "has_time", 7, 1, "flag" },
    { "digest", 8, 8, "number" },
    { "sent_at_ns", 16, 48, "number" },
  },
  roce_request = { title = "Telemetry request over RoCEv2", size = 16,
    { "message_version", 0, 4, "number" },
    { "epoch", 4, 4, "number" },
    { "hops_max", 8, 8, "number" },
    { "request_id", 32, 32, "number" },
    { "transmit_time_ns", 64, 64, "hex" },
  },
  roce_response = { title = "Telemetry response over RoCEv2", size = 48,
    { "message_version", 0, 4, "number" },
    { "hop_count", 8, 8, "number" },
    { "chosen_hop", 16, 8, "number" },
    { "response_flags", 24, 8, "number" },
    { "request_id", 32, 32, "number" },
    { "transmit_time_ns", 64, 64, "hex" },
    { "node_id", 128, 32, "number" },
    { "port_id", 160, 16, "number" },
    { "queue_id", 176, 8, "number" },
    { "timestamp_ns", 192, 64, "hex" },
    { "tx_bytes", 256, 64, "hex" },
    { "queue_bytes", 320, 32, "number" },
    { "capacity_mbps", 352, 32, "number" },
  },
}
local transport_types = {
  [1] = { kind = "data",
    { "fin", 7, 1 },
    { "retransmit", 5, 1 },
    { "selective", 4, 1 },
    { "epoch", 0, 4 },
  },
  [2] = { kind = "ack",
    { "unconfirmed", 7, 1 },
    { "echo", 6, 1 },
    { "sack", 5, 1 },
    { "nack", 4, 1 },
    { "auth", 3, 1 },
    { "ratio", 2, 1 },
    { "accumulated", 1, 1 },
    { "marked", 0, 1 },
  },
  [3] = { kind = "probe",
    { "epoch", 0, 4 },
  },
  [4] = { kind = "telemetry",
    { "unconfirmed", 7, 1 },
    { "echo", 6, 1 },
    { "auth", 3, 1 },
    { "ratio", 2, 1 },
    { "repeated", 5, 1 },
    { "trimmed", 4, 1 },
    { "response", 1, 1 },
    { "held", 0, 1 },
  },
  [5] = { kind = "window",
    { "unconfirmed", 7, 1 },
    { "auth", 3, 1 },
  },
  [6] = { kind = "switch-response",
    { "to_receiver", 7, 1 },
    { "auth", 3, 1 },
  },
  [7] = { kind = "settings",
    { "response", 1, 1 },
  },
}
-- end of the layouts

-- Type of a layout's field that holds `width` bits of a kind.
local function declare(name, width, kind)
  if kind == "q16" then return field("double", name, name) end
  if kind == "hex" and width > 64 then return field("bytes", name, name) end
  local size = width <= 8 and 8 or width <= 16 and 16 or width <= 32 and 32 or 64
  field("uint" .. size, name, name, kind == "hex" and base.HEX or base.DEC)
end

for name, layout in pairs(layouts) do
  for _, each in ipairs(layout) do declare(name .. "." .. each[1], each[3], each[4]) end
end
for _, kind in pairs(transport_types) do
  for _, flag in ipairs(kind) do
    local name = "transport." .. flag[1]
    if not fields[name] then field("uint8", name, name) end
  end
end

field("string", "settings", "settings")

do
  local list = {}
  for _, made in pairs(fields) do list[#list + 1] = made end
  hpcc.fields = list
end

local malformed = ProtoExpert.new("hpcc.malformed", "Telemetry is cut short or contradicts itself",
  expert.group.MALFORMED, expert.severity.ERROR)
hpcc.experts = { malformed }

-- Adds bits of a range under a field's name.
local function bits(tree, name, range, first, width)
  tree:add(fields[name], range, range:bitfield(first, width))
end

local function whole(tree, name, range) tree:add(fields[name], range) end

-- True if bit `index` (0 is the most significant) of a 16-bit number is set.
local function has_bit(value, index) return math.floor(value / 2 ^ (15 - index)) % 2 == 1 end

local function fits(tvb, at, length, limit) return at + length <= math.min(limit, tvb:len()) end

local function fault(tree, text)
  if text then tree:add_proto_expert_info(malformed, text) else tree:add_proto_expert_info(malformed) end
end

-- Words that an instruction bitmap asks for, without those of a domain.
local function baseline_words(bitmap, time_words, bit6)
  local words = 0
  for bit = 0, 15 do
    if has_bit(bitmap, bit) then
      if bit == 4 or bit == 5 then words = words + time_words
      elseif bit == 6 and bit6 == nil then words = words + 2
      else words = words + 1 end
    end
  end
  return words
end

local function id_and_count(tree, id, count, range)
  bits(tree, id, range, 0, 8)
  bits(tree, count, range, 8, 24)
end

-- How the baseline metadata of each instruction bit are shown; gives the words they take.
local function baseline_bit(tree, tvb, at, bit, layout)
  local time_words = layout.time_words
  local range = tvb(at, 4)
  if bit == 0 then whole(tree, "int.node_id", range)
  elseif bit == 1 then
    whole(tree, "int.ingress", tvb(at, 2))
    whole(tree, "int.egress", tvb(at + 2, 2))
  elseif bit == 2 then whole(tree, "int.hop_latency", range)
  elseif bit == 3 then id_and_count(tree, "int.queue_id", "int.queue_occupancy", range)
  elseif bit == 4 or bit == 5 then
    local name = bit == 4 and "int.ingress_ts" or "int.egress_ts"
    if time_words == 1 then whole(tree, name .. "32", range)
    else whole(tree, name, tvb(at, 8)) end
    return time_words
  elseif bit == 6 and layout.bit6 == "congestion" then
    id_and_count(tree, "int.congested_queue_id", "int.congestion_status", range)
  elseif bit == 6 and layout.bit6 == "narrow" then
    whole(tree, "int.ingress2", tvb(at, 2))
    whole(tree, "int.egress2", tvb(at + 2, 2))
  elseif bit == 6 then
    whole(tree, "int.ingress2", range)
    whole(tree, "int.egress2", tvb(at + 4, 4))
    return 2
  elseif bit == 7 then whole(tree, "int.utilization", range)
  elseif bit == 8 then id_and_count(tree, "int.buffer_id", "int.buffer_occupancy", range)
  else whole(tree, "int.reserved", range) end
  return 1
end

-- Domain-specific words: those of the domain "HP" by name, those of others as they are.
local function domain_words(tree, tvb, at, count, layout)
  local stop = at + 4 * count
  if layout.domain == 0x4850 then
    if has_bit(layout.ds_instruction, 0) and at + 8 <= stop then
      whole(tree, "int.tx_bytes", tvb(at, 8))
      at = at + 8
    end
    if has_bit(layout.ds_instruction, 1) and at + 4 <= stop then
      whole(tree, "int.capacity_mbps", tvb(at, 4))
      at = at + 4
    end
    if has_bit(layout.ds_instruction, 2) and at + 4 <= stop then
      whole(tree, "int.queue_bytes", tvb(at, 4))
      at = at + 4
    end
  end
  while at < stop do
    whole(tree, "int.domain_word", tvb(at, 4))
    at = at + 4
  end
end

-- One node's block of `layout.words` words, which exist.
local function int_block(tree, tvb, at, layout)
  local domain_count = layout.words - baseline_words(layout.bitmap, layout.time_words, layout.bit6)
  for bit = 0, 14 do
    if has_bit(layout.bitmap, bit) then
      at = at + 4 * baseline_bit(tree, tvb, at, bit, layout)
    end
  end
  if layout.is_report and has_bit(layout.bitmap, 15) then
    whole(tree, "report.queue_id", tvb(at, 1))
    whole(tree, "report.drop_reason", tvb(at + 1, 1))
    at = at + 4
  end
  domain_words(tree, tvb, at, domain_count, layout)
  if not layout.is_report and has_bit(layout.bitmap, 15) then
    whole(tree, "int.checksum_complement", tvb(at + 4 * domain_count, 4))
  end
end

local function int_stack(tree, tvb, at, stop, layout)
  if layout.words < baseline_words(layout.bitmap, layout.time_words, layout.bit6) then
    return fault(tree)
  end
  local length = 4 * layout.words
  if length == 0 then return end
  while at + length <= stop do
    local block = tree:add(hpcc, tvb(at, length), "Hop")
    int_block(block, tvb, at, layout)
    at = at + length
  end
  if at < stop then tree:add(hpcc, tvb(at, stop - at), "Metadata of the source only") end
end

local function int_original(tree, tvb, at, npt)
  if npt == 0 then bits(tree, "int.original_dscp", tvb(at + 3, 1), 0, 6)
  elseif npt == 1 then whole(tree, "int.original_port", tvb(at + 2, 2))
  else whole(tree, "int.original_protocol", tvb(at + 3, 1)) end
end

-- INT v0.5: as v1.0, with a tail that the length counts too, and no metadata of two words.
local function int_v05(tree, tvb, at, stop)
  local head = tvb(at + 4, 4)
  local bitmap, words = tvb(at + 8, 2):uint(), head:bitfield(11, 5)
  whole(tree, "int.type", tvb(at, 1))
  whole(tree, "int.length", tvb(at + 2, 1))
  bits(tree, "int.version", head, 0, 4)
  bits(tree, "int.discard", head, 6, 1)
  bits(tree, "int.hop_limit_exceeded", head, 7, 1)
  bits(tree, "int.hop_ml", head, 11, 5)
  whole(tree, "int.max_hops", tvb(at + 6, 1))
  whole(tree, "int.total_hops", tvb(at + 7, 1))
  whole(tree, "int.bitmap", tvb(at + 8, 2))
  local tail = stop - 4
  whole(tree, "int.original_protocol", tvb(tail, 1))
  whole(tree, "int.original_port", tvb(tail + 1, 2))
  bits(tree, "int.original_dscp", tvb(tail + 3, 1), 2, 6)
  if words ~= baseline_words(bitmap, 1, "congestion") or (tail - at - 12) % (4 * words) ~= 0 then
    fault(tree)
    return
  end
  int_stack(tree, tvb, at + 12, tail, {
    bitmap = bitmap, words = words, time_words = 1, bit6 = "congestion",
    domain = 0, ds_instruction = 0,
  })
end

-- INT v1.0: a type of eight bits, and a length that counts the shim. Some switches write times of 64 bits.
local function int_v1(tree, tvb, at, limit)
  local stop = at + 4 * tvb(at + 2, 1):uint()
  if not fits(tvb, at, 12, stop) or not fits(tvb, at, stop - at, limit) then
    fault(tree)
    return limit
  end
  if tvb(at + 4, 1):bitfield(0, 4) == 0 then
    if stop < at + 16 then fault(tree) else int_v05(tree, tvb, at, stop) end
    return stop
  end
  local bitmap, words = tvb(at + 8, 2):uint(), tvb(at + 4, 4):bitfield(19, 5)
  local is_usual = words == baseline_words(bitmap, 1)
  local is_wide = not is_usual and words == baseline_words(bitmap, 2, "narrow")
  if not is_usual and not is_wide then
    fault(tree)
    return stop
  end
  whole(tree, "int.type", tvb(at, 1))
  whole(tree, "int.length", tvb(at + 2, 1))
  bits(tree, "int.original_dscp", tvb(at + 3, 1), 0, 6)
  local head = tvb(at + 4, 4)
  bits(tree, "int.version", head, 0, 4)
  bits(tree, "int.discard", head, 6, 1)
  bits(tree, "int.hop_limit_exceeded", head, 7, 1)
  bits(tree, "int.mtu_exceeded", head, 8, 1)
  bits(tree, "int.hop_ml", head, 19, 5)
  whole(tree, "int.remaining_hops", tvb(at + 7, 1))
  whole(tree, "int.bitmap", tvb(at + 8, 2))
  int_stack(tree, tvb, at + 12, stop, {
    bitmap = bitmap, words = words, time_words = is_wide and 2 or 1, bit6 = is_wide and "narrow" or nil,
    domain = 0, ds_instruction = 0,
  })
  return stop
end

-- INT from the shim on; gives the offset after it.
local function int(tree, tvb, at, limit)
  if not fits(tvb, at, 4, limit) then return limit end
  local sub = tree:add(hpcc, tvb(at, 4), "INT")
  if tvb(at, 1):uint() == 1 then return int_v1(sub, tvb, at, limit) end
  local shim = tvb(at, 4)
  local kind, npt = shim:bitfield(0, 4), shim:bitfield(4, 2)
  local stop = at + 4 + 4 * tvb(at + 1, 1):uint()
  if kind < 1 or kind > 3 or npt > 2 or not fits(tvb, at, stop - at, limit) or stop < at + 16 then
    fault(sub)
    return limit
  end
  sub:set_len(stop - at)
  bits(sub, "int.type", shim, 0, 4)
  bits(sub, "int.npt", shim, 4, 2)
  whole(sub, "int.length", tvb(at + 1, 1))
  int_original(sub, tvb, at, npt)
  local head = tvb(at + 4, 4)
  bits(sub, "int.version", head, 0, 4)
  bits(sub, "int.discard", head, 4, 1)
  whole(sub, "int.bitmap", tvb(at + 8, 2))
  whole(sub, "int.domain", tvb(at + 10, 2))
  whole(sub, "int.ds_instruction", tvb(at + 12, 2))
  whole(sub, "int.ds_flags", tvb(at + 14, 2))
  if tvb(at + 10, 2):uint() == prefs.int_domain then
    bits(sub, "ccm.cc", tvb(at + 14, 2), 0, 1)
    bits(sub, "ccm.ar_valid", tvb(at + 14, 2), 1, 1)
    bits(sub, "int.feedback", tvb(at + 14, 2), 2, 1)
    bits(sub, "ccm.ar_id", tvb(at + 14, 2), 3, 13)
  end
  if kind ~= 1 then return stop end
  bits(sub, "int.hop_limit_exceeded", head, 5, 1)
  bits(sub, "int.mtu_exceeded", head, 6, 1)
  bits(sub, "int.hop_ml", head, 19, 5)
  whole(sub, "int.remaining_hops", tvb(at + 7, 1))
  int_stack(sub, tvb, at + 16, stop, {
    bitmap = tvb(at + 8, 2):uint(), words = head:bitfield(19, 5), time_words = 2,
    domain = tvb(at + 10, 2):uint(), ds_instruction = tvb(at + 12, 2):uint(),
  })
  return stop
end

-- Adds the fields of a layout whose bytes exist.
local function show(tree, name, tvb, at)
  local layout = layouts[name]
  local sub = tree:add(hpcc, tvb(at, layout.size), layout.title)
  for _, each in ipairs(layout) do
    local key, bit, width, kind = name .. "." .. each[1], each[2], each[3], each[4]
    local first = at + math.floor(bit / 8)
    local last = at + math.floor((bit + width - 1) / 8)
    local range = tvb(first, last - first + 1)
    if kind == "q16" then
      local high = width == 64 and range(0, 4):uint() or 0
      local low = width == 64 and range(4, 4):uint() or range:uint()
      sub:add(fields[key], range, high * 65536 + low / 65536)
    elseif width % 8 == 0 and bit % 8 == 0 then whole(sub, key, range)
    else bits(sub, key, range, bit % 8, width) end
  end
  return sub
end

-- True for a version that packets of the kind have: responses of switches have their own.
local function is_version(version, kind)
  if kind == 6 then return version == 1 end
  return version == 3 or version == 4
end

-- The DSCP of packets that a switch has cut to their headers, and whether it, or the one that INT has taken the place
-- of, is that of the packet at hand.
local TRIMMED_DSCP = 15
local is_trimmed = false

-- Whether a header of the transport begins at `at`, and its length fits.
local function is_transport(tvb, at, limit)
  if not fits(tvb, at, 16, limit) then return false end
  local version, kind = tvb(at, 1):bitfield(0, 4), tvb(at, 1):bitfield(4, 4)
  local body = at + (version == 4 and 24 or 16)
  return is_version(version, kind) and transport_types[kind] ~= nil and body + tvb(at + 4, 2):uint() == limit
end

-- Telemetry that feedback echoes. An echo does not say of which format it is; each format has a length or a
-- length field that the others cannot have at the same time.
local echo
-- Bytes of each of several records that lie at `at`, with their number at the end; nil if they do not.
local function accumulated(tvb, at, total)
  if total <= 2 then return nil end
  local count = tvb(at + total - 2, 2):uint()
  if count < 2 or (total - 2) % count ~= 0 then return nil end
  return (total - 2) / count
end

local function echoes(tree, tvb, at, total, is_accumulated)
  local length = is_accumulated and accumulated(tvb, at, total) or total
  local stop = at + total
  while at + length <= stop do
    echo(tree, tvb, at, at + length)
    at = at + length
  end
end

-- What follows the header: records, and what ends the packet.
local function transport_body(tree, tvb, at, limit, kind, flag)
  local cookie = flag.unconfirmed and layouts.cookie.size or 0
  local auth = flag.auth and layouts.auth.size or 0
  local sack = flag.sack and layouts.selective_ack.size or 0
  local record = limit - at - cookie - auth - sack
  if record < 0 then return fault(tree) end
  if kind == 5 or kind == 6 then
    local name = kind == 5 and "window" or "switch_response"
    local wanted = layouts[name].size + (kind == 6 and 32 or 0)
    if record ~= wanted then return fault(tree) end
    show(tree, name, tvb, at)
    if kind == 6 then
      int_block(tree:add(hpcc, tvb(at + 8, 32), "Hop"), tvb, at + 8, {
        bitmap = 0xd400, words = 8, time_words = 2, domain = 0x4850, ds_instruction = 0xc000,
      })
    end
  elseif flag.echo then
    if record == 0 or flag.ratio then return fault(tree) end
    echoes(tree, tvb, at, record, flag.accumulated)
  elseif flag.ratio then
    local length = flag.accumulated and accumulated(tvb, at, record) or record
    if length ~= layouts.load.size then return fault(tree) end
    show(tree, "load", tvb, at)
  elseif record ~= 0 then return fault(tree) end
  if flag.sack then show(tree, "selective_ack", tvb, at + record) end
  at = at + record + sack
  if flag.unconfirmed then show(tree, "cookie", tvb, at) end
  if flag.auth then show(tree, "auth", tvb, at + cookie) end
end

-- The transport's header, and what feedback says.
local function transport(tree, tvb, at, limit)
  if at >= limit then return end
  if not fits(tvb, at, 16, limit) then return fault(tree:add(hpcc, tvb(at - 1, 1), "HPCC transport")) end
  local sub = show(tree, "transport", tvb, at)
  local kind, flags = tvb(at, 1):bitfield(4, 4), tvb(at + 1, 1)
  local known = transport_types[kind]
  local version = tvb(at, 1):bitfield(0, 4)
  if kind ~= 6 and (version == 1 or version == 2) then
    return fault(sub, "Version " .. version .. " of the transport, of releases up to 0.2; 3 or 4 was expected")
  end
  if not known or not is_version(version, kind) then return fault(sub) end
  local flag = {}
  for _, each in ipairs(known) do
    bits(sub, "transport." .. each[1], flags, each[2], each[3])
    flag[each[1]] = flags:bitfield(each[2], each[3]) ~= 0
  end
  local body = at + 16
  if version == 4 then
    if not fits(tvb, body, 8, limit) then return fault(sub) end
    show(sub, "token", tvb, body)
    body = body + 8
  end
  local stop = body + tvb(at + 4, 2):uint()
  if is_trimmed and kind == 1 and stop > limit then
    return sub:add(fields["transport.trimmed"], tvb(at + 4, 2), 1):append_text(" (" .. stop - limit .. " bytes cut off)")
  end
  if stop ~= limit then return fault(sub) end
  if kind == 1 then return end
  if limit > tvb:len() then return fault(sub) end
  if kind == 7 then
    local text = tvb(body, limit - body):string():gsub("\n$", ""):gsub("\n", " ")
    sub:add(fields["settings"], tvb(body, limit - body), text)
    return
  end
  transport_body(sub, tvb, body, limit, kind, flag)
end

-- Time and digest before the header, in datagrams to their own port.
local function path_shim(tree, tvb, at, limit)
  if not fits(tvb, at, 8, limit) then return end
  local sub = show(tree, "path_shim", tvb, at)
  if tvb(at, 1):bitfield(0, 4) ~= 1 then return fault(sub) end
  transport(tree, tvb, at + 8, limit)
end

-- HPCC padding, big-endian, with or without 16 bits of alignment.
local function padding(tree, tvb, at, limit, fixed)
  if not fits(tvb, at, fixed, limit) then return end
  local count = tvb(at, 1):bitfield(0, 4)
  if not fits(tvb, at, fixed + 8 * count, limit) then return end
  local sub = tree:add(hpcc, tvb(at, fixed + 8 * count), "HPCC padding")
  bits(sub, "padding.nhop", tvb(at, 2), 0, 4)
  bits(sub, "padding.path_id", tvb(at, 2), 4, 12)
  for hop = 0, count - 1 do
    local record = tvb(at + fixed + 8 * hop, 8)
    local shown = sub:add(hpcc, record, "Hop")
    bits(shown, "padding.speed", record(0, 4), 0, 4)
    bits(shown, "padding.time", record(0, 4), 4, 24)
    bits(shown, "padding.tx_units", record(3, 3), 4, 20)
    whole(shown, "padding.queue_units", record(6, 2))
  end
end

-- The simulator's form: little-endian slots of 64 bits, least significant bit first.
local function padding_ns3(tree, tvb, at, limit)
  if not fits(tvb, at, 42, limit) then return end
  local sub = tree:add(hpcc, tvb(at, 42), "HPCC padding (ns-3)")
  local count = tvb(at + 40, 2):le_uint()
  sub:add(fields["padding.nhop"], tvb(at + 40, 2), count)
  for hop = 0, math.min(count, 5) - 1 do
    local record = tvb(at + 8 * hop, 8)
    local low, high = record(0, 4):le_uint(), record(4, 4):le_uint()
    local shown = sub:add(hpcc, record, "Hop")
    shown:add(fields["padding.speed"], record, low % 8)
    shown:add(fields["padding.time"], record, math.floor(low / 8) % 2 ^ 24)
    local tx = math.floor(low / 2 ^ 27) + (high % 2 ^ 15) * 32
    shown:add(fields["padding.tx_units"], record, tx)
    shown:add(fields["padding.queue_units"], record, math.floor(high / 2 ^ 15))
  end
end

local function ifa_header(tree, tvb, at)
  local sub = tree:add(hpcc, tvb(at, 4), "IFA")
  bits(sub, "ifa.version", tvb(at, 1), 0, 4)
  bits(sub, "ifa.gns", tvb(at, 1), 4, 4)
  whole(sub, "ifa.next_header", tvb(at + 1, 1))
  whole(sub, "ifa.flags", tvb(at + 2, 1))
  whole(sub, "ifa.max_length", tvb(at + 3, 1))
end

local function ifa_record(tree, record)
  bits(tree, "ifa.lns", record(0, 4), 0, 4)
  bits(tree, "ifa.device", record(0, 4), 4, 20)
  whole(tree, "ifa.ttl", record(3, 1))
  bits(tree, "ifa.speed", record(4, 4), 0, 4)
  bits(tree, "ifa.congestion", record(4, 4), 4, 2)
  bits(tree, "ifa.queue_id", record(4, 4), 6, 6)
  bits(tree, "ifa.rx_seconds", record(4, 4), 12, 20)
  whole(tree, "ifa.egress", record(8, 2))
  whole(tree, "ifa.ingress", record(10, 2))
  whole(tree, "ifa.rx_ns", record(12, 4))
  whole(tree, "ifa.residence_ns", record(16, 4))
  for i = 1, 3 do whole(tree, "ifa.opaque" .. i, record(16 + 4 * i, 4)) end
end

local function ifa_metadata(tree, tvb, at, limit)
  if not fits(tvb, at, 4, limit) then return end
  local words = tvb(at + 3, 1):uint()
  local sub = tree:add(hpcc, tvb(at, 4), "IFA metadata")
  if words % 8 ~= 0 or not fits(tvb, at, 4 + 4 * words, limit) then return fault(sub) end
  whole(sub, "ifa.request", tvb(at, 1))
  whole(sub, "ifa.action", tvb(at + 1, 1))
  whole(sub, "ifa.hop_limit", tvb(at + 2, 1))
  whole(sub, "ifa.length", tvb(at + 3, 1))
  for start = at + 4, at + 4 * words, 32 do
    local record = tvb(start, 32)
    ifa_record(sub:add(hpcc, record, "Hop"), record)
  end
  return at + 4 + 4 * words
end

local function csig(tree, tvb, at)
  local tag = tvb(at + 2, 2)
  local sub = tree:add(hpcc, tvb(at, 4), "CSIG")
  bits(sub, "csig.type", tag, 0, 3)
  bits(sub, "csig.signal", tag, 4, 5)
  if prefs.csig_dialect == 1 then return bits(sub, "csig.locator", tag, 9, 7) end
  bits(sub, "csig.locator", tag, 9, 6)
  bits(sub, "csig.do_not_update", tag, 15, 1)
end

-- Fields of one word of a node of an IOAM trace, by the bit of the trace type (RFC 9197 section 4.4.2).
local ioam_words = {
  [2] = "seconds", [3] = "fraction", [4] = "transit_delay", [5] = "namespace_data", [6] = "queue_depth",
  [7] = "checksum_complement", [11] = "buffer_occupancy",
}

local function ioam_node(tree, tvb, at, kind)
  for bit = 0, 21 do
    if math.floor(kind / 2 ^ (23 - bit)) % 2 == 1 then
      local word = tvb(at, 4)
      if bit == 0 then
        whole(tree, "ioam.hop_limit", tvb(at, 1))
        bits(tree, "ioam.node_id", word, 8, 24)
      elseif bit == 1 then
        whole(tree, "ioam.ingress", tvb(at, 2))
        whole(tree, "ioam.egress", tvb(at + 2, 2))
      elseif bit >= 8 and bit <= 10 then
        whole(tree, "ioam.wide", tvb(at, 8))
        at = at + 4
      else whole(tree, "ioam." .. (ioam_words[bit] or "undefined_word"), word) end
      at = at + 4
    end
  end
end

-- Bytes of a node at `at`: with bit 22 a state snapshot of its own length lies behind the words.
local function ioam_node_length(tvb, at, stop, words, has_snapshot)
  if not has_snapshot then return 4 * words end
  if not fits(tvb, at, 4 * words + 4, stop) then return 0 end
  return 4 * words + 4 + 4 * tvb(at + 4 * words, 1):uint()
end

-- A trace, pre-allocated as feedback echoes it or incremental; in IPv6 options Wireshark shows it by itself.
local function ioam_trace(tree, tvb, at, stop, is_incremental)
  local sub = tree:add(hpcc, tvb(at, stop - at), is_incremental and "IOAM incremental trace" or "IOAM trace")
  if stop - at < 8 then return fault(sub) end
  whole(sub, "ioam.namespace", tvb(at, 2))
  bits(sub, "ioam.node_words", tvb(at + 2, 1), 0, 5)
  bits(sub, "ioam.overflow", tvb(at + 2, 1), 5, 1)
  bits(sub, "ioam.remaining", tvb(at + 3, 1), 1, 7)
  bits(sub, "ioam.trace_type", tvb(at + 4, 3), 0, 24)
  local words = tvb(at + 2, 1):bitfield(0, 5)
  local has_snapshot = tvb(at + 6, 1):bitfield(6, 1) == 1
  local first = at + 8 + (is_incremental and 0 or 4 * tvb(at + 2, 2):bitfield(9, 7))
  while first < stop do
    local length = ioam_node_length(tvb, first, stop, words, has_snapshot)
    if length == 0 or not fits(tvb, first, length, stop) then return fault(sub) end
    ioam_node(sub:add(hpcc, tvb(first, length), "Node"), tvb, first, tvb(at + 4, 3):uint())
    first = first + length
  end
  if first > stop then fault(sub) end
end

echo = function(tree, tvb, at, stop)
  local length = stop - at
  if length % 4 ~= 0 then
    if length < 2 or (length - 2) % 8 ~= 0 then return fault(tree) end
    return padding(tree, tvb, at, stop, 2)
  end
  if length == 4 and tvb(at, 2):uint() == prefs.csig_tpid then return csig(tree, tvb, at) end
  if length == 8 and tvb(at, 1):bitfield(0, 4) == 1 then return show(tree, "path_shim", tvb, at) end
  if length >= 16 and tvb(at, 1):bitfield(0, 4) == 1 and 4 + 4 * tvb(at + 1, 1):uint() == length then
    return int(tree, tvb, at, stop)
  end
  if 4 + 4 * tvb(at + 3, 1):uint() == length then return ifa_metadata(tree, tvb, at, stop) end
  if length >= 8 then return ioam_trace(tree, tvb, at, stop) end
  fault(tree)
end

-- INT, HPCC padding or an authentication behind a message over RoCEv2. Of these only the padding has no whole
-- number of words.
local function roce_rest(tree, tvb, at, stop)
  if at >= stop then return end
  if (stop - at) % 4 ~= 0 then
    local behind = at + 2 + 8 * tvb(at, 1):bitfield(0, 4)
    if behind ~= stop and behind ~= stop - layouts.auth.size then return fault(tree) end
    padding(tree, tvb, at, behind, 2)
    at = behind
  elseif stop - at ~= layouts.auth.size then at = int(tree, tvb, at, stop) end
  if at == stop then return end
  if stop - at == layouts.auth.size then return show(tree, "auth", tvb, at) end
  fault(tree:add(hpcc, tvb(at, stop - at), "Unknown bytes"))
end

-- Telemetry of RoCEv2, from the BTH on; the rest is Wireshark's own.
-- The BTH: behind telemetry Wireshark's own dissector takes other bytes for it.
local function bth(tree, tvb, at)
  local sub = tree:add(hpcc, tvb(at, 12), "RoCEv2")
  whole(sub, "roce.opcode", tvb(at, 1))
  bits(sub, "roce.pad_count", tvb(at + 1, 1), 2, 2)
  bits(sub, "roce.fecn", tvb(at + 4, 1), 0, 1)
  bits(sub, "roce.becn", tvb(at + 4, 1), 1, 1)
  whole(sub, "roce.destination_qp", tvb(at + 5, 3))
  bits(sub, "roce.ack_request", tvb(at + 8, 1), 0, 1)
  whole(sub, "roce.psn", tvb(at + 9, 3))
  -- No header says how many bytes a switch has cut off.
  if is_trimmed and tvb(at, 1):uint() < 0x11 then sub:add(fields["roce.trimmed"], tvb(at, 1), 1) end
end

local function roce(tree, tvb, at, limit)
  if not fits(tvb, at, 16, limit) then return end
  bth(tree, tvb, at)
  local opcode, body, stop = tvb(at, 1):uint(), at + 12, limit - 4 - tvb(at + 1, 1):bitfield(2, 2)
  if opcode == 0x11 then
    if stop > body + 4 then roce_rest(tree, tvb, body + 4, stop) end
  elseif opcode == 0xc0 then
    if not fits(tvb, body, 16, stop) then return fault(tree:add(hpcc, tvb(at, 12), "Telemetry request")) end
    show(tree, "roce_request", tvb, body)
    roce_rest(tree, tvb, body + 16, stop)
  elseif opcode == 0xc1 then
    if not fits(tvb, body, 48, stop) then return fault(tree:add(hpcc, tvb(at, 12), "Telemetry response")) end
    show(tree, "roce_response", tvb, body)
    local rest = body + 48
    if tvb(body + 3, 1):bitfield(3, 1) == 1 and fits(tvb, rest, 16, stop) then
      show(tree, "window", tvb, rest)
      rest = rest + 16
    end
    roce_rest(tree, tvb, rest, stop)
  end
end

-- The first packet inside of a report or a tunnel, which is declared later.
local inner_frame

-- One individual report; gives the offset after it.
local function individual_report(tree, tvb, at, limit)
  local words = tvb(at + 1, 1):uint()
  local stop = words == 0xff and limit or at + 4 + 4 * words
  local sub = tree:add(hpcc, tvb(at, 4), "Report")
  if not fits(tvb, at, stop - at, limit) then
    fault(sub)
    return limit
  end
  local head = tvb(at, 4)
  bits(sub, "report.type", head, 0, 4)
  bits(sub, "report.inner_type", head, 4, 4)
  whole(sub, "report.length", tvb(at + 1, 1))
  whole(sub, "report.md_length", tvb(at + 2, 1))
  bits(sub, "report.dropped", head, 24, 1)
  bits(sub, "report.congested", head, 25, 1)
  bits(sub, "report.tracked", head, 26, 1)
  bits(sub, "report.intermediate", head, 27, 1)
  local inner_type = head:bitfield(4, 4)
  if head:bitfield(0, 4) ~= 1 then
    inner_frame(tree, tvb, at + 4, inner_type)
    return stop
  end
  local layout = { words = tvb(at + 2, 1):uint(), time_words = 2, is_report = true }
  if not fits(tvb, at, 12 + 4 * layout.words, stop) then
    fault(sub)
    return stop
  end
  whole(sub, "report.md_bits", tvb(at + 4, 2))
  whole(sub, "report.domain", tvb(at + 6, 2))
  whole(sub, "report.ds_bits", tvb(at + 8, 2))
  whole(sub, "report.ds_status", tvb(at + 10, 2))
  layout.bitmap, layout.domain = tvb(at + 4, 2):uint(), tvb(at + 6, 2):uint()
  layout.ds_instruction = tvb(at + 8, 2):uint()
  if layout.words < baseline_words(layout.bitmap, 2) then fault(sub)
  else int_block(sub, tvb, at + 12, layout) end
  inner_frame(tree, tvb, at + 12 + 4 * layout.words, inner_type)
  return stop
end

-- Report v0.5: one packet, behind metadata of the switch or of a drop.
local function report_v05(tree, tvb, at, limit)
  local head = tvb(at, 4)
  local following = head:bitfield(4, 4)
  local behind = at + 12 + (following == 1 and 12 or following == 2 and 16 or 0)
  if following > 2 or not fits(tvb, at, behind - at, limit) then return fault(tree) end
  bits(tree, "report.dropped", head, 8, 1)
  bits(tree, "report.congested", head, 9, 1)
  bits(tree, "report.tracked", head, 10, 1)
  bits(tree, "report.hw_id", head, 26, 6)
  whole(tree, "report.sequence", tvb(at + 4, 4))
  whole(tree, "report.ingress_ts", tvb(at + 8, 4))
  if following ~= 0 then
    whole(tree, "report.node_id", tvb(at + 12, 4))
    whole(tree, "int.ingress", tvb(at + 16, 2))
    whole(tree, "int.egress", tvb(at + 18, 2))
  end
  if following == 1 then
    whole(tree, "report.queue_id", tvb(at + 20, 1))
    whole(tree, "report.drop_reason", tvb(at + 21, 1))
  elseif following == 2 then
    id_and_count(tree, "int.queue_id", "int.queue_occupancy", tvb(at + 20, 4))
    whole(tree, "int.egress_ts32", tvb(at + 24, 4))
  end
  inner_frame(tree, tvb, behind, 3)
end

-- What each metadata bit of report v1.0 asks for, from the first.
local REPORT_V1_BITS = {
  function(tree, tvb, at)
    whole(tree, "int.ingress", tvb(at, 2))
    whole(tree, "int.egress", tvb(at + 2, 2))
  end,
  function(tree, tvb, at) whole(tree, "int.hop_latency", tvb(at, 4)) end,
  function(tree, tvb, at)
    id_and_count(tree, "int.queue_id", "int.queue_occupancy", tvb(at, 4))
  end,
  function(tree, tvb, at) whole(tree, "int.egress_ts32", tvb(at, 4)) end,
  function(tree, tvb, at)
    whole(tree, "report.queue_id", tvb(at, 1))
    whole(tree, "report.drop_reason", tvb(at + 1, 1))
  end,
  function(tree, tvb, at) whole(tree, "int.utilization", tvb(at, 4)) end,
}

-- Report v1.0: one packet, behind a word for each metadata bit.
local function report_v1(tree, tvb, at, limit)
  local head = tvb(at, 4)
  local words, protocol = head:bitfield(4, 4), head:bitfield(8, 3)
  local wanted = 4
  for bit = 1, 6 do wanted = wanted + head:bitfield(10 + bit, 1) end
  if protocol > 2 or words ~= wanted or not fits(tvb, at, 4 * words, limit) then
    return fault(tree)
  end
  bits(tree, "report.dropped", head, 23, 1)
  bits(tree, "report.congested", head, 24, 1)
  bits(tree, "report.tracked", head, 25, 1)
  bits(tree, "report.hw_id", head, 26, 6)
  whole(tree, "report.node_id", tvb(at + 4, 4))
  whole(tree, "report.sequence", tvb(at + 8, 4))
  whole(tree, "report.ingress_ts", tvb(at + 12, 4))
  local place = at + 16
  for bit = 1, 6 do
    if head:bitfield(10 + bit, 1) == 1 then
      REPORT_V1_BITS[bit](tree, tvb, place)
      place = place + 4
    end
  end
  inner_frame(tree, tvb, at + 4 * words, 3 + protocol)
end

local function report(tree, tvb, at, limit)
  if not fits(tvb, at, 8, limit) then return end
  limit = math.min(limit, tvb:len())
  local version = tvb(at, 1):bitfield(0, 4)
  local sub = tree:add(hpcc, tvb(at, limit - at), "Telemetry report")
  bits(sub, "report.version", tvb(at, 4), 0, 4)
  if version < 2 then
    if not fits(tvb, at, version == 0 and 12 or 16, limit) then return fault(sub) end
    return (version == 0 and report_v05 or report_v1)(sub, tvb, at, limit)
  end
  if version > 2 then return fault(sub) end
  bits(sub, "report.hw_id", tvb(at, 4), 4, 6)
  bits(sub, "report.sequence", tvb(at, 4), 10, 22)
  whole(sub, "report.node_id", tvb(at + 4, 4))
  at = at + 8
  while fits(tvb, at, 4, limit) do at = individual_report(sub, tvb, at, limit) end
end

-- Coordination tag, from its TPID on.
local function ccm_tag(tree, tvb, at)
  local sub = tree:add(hpcc, tvb(at, 8), "Coordination tag")
  local head = tvb(at + 2, 2)
  bits(sub, "ccm.version", head, 0, 4)
  bits(sub, "ccm.cc", head, 4, 1)
  bits(sub, "ccm.ar_valid", head, 5, 1)
  whole(sub, "ccm.ar_id", tvb(at + 4, 4))
  if head:bitfield(0, 4) ~= 1 then fault(sub) end
end

-- Notification of coordinated congestion management.
local function ccm_notification(tree, tvb, at, limit)
  if not fits(tvb, at, 4, limit) then return end
  local stop = math.min(limit, tvb:len())
  local sub = tree:add(hpcc, tvb(at, stop - at), "Coordination notification")
  local is_ipv6 = tvb(at + 1, 1):bitfield(0, 1) == 1
  local key_id = tvb(at + 3, 1):uint()
  local address = is_ipv6 and 16 or 4
  local length = 40 + 2 * address + (key_id == 0 and 0 or 16)
  bits(sub, "ccm.version", tvb(at, 1), 0, 4)
  bits(sub, "ccm.type", tvb(at, 1), 4, 4)
  whole(sub, "ccm.flags", tvb(at + 1, 1))
  whole(sub, "ccm.length", tvb(at + 2, 1))
  whole(sub, "ccm.key_id", tvb(at + 3, 1))
  if 4 * tvb(at + 2, 1):uint() ~= length or not fits(tvb, at, length, limit) then
    return fault(sub)
  end
  whole(sub, "ccm.sender", tvb(at + 4, 4))
  whole(sub, "ccm.sequence", tvb(at + 8, 8))
  whole(sub, "ccm.ar_id", tvb(at + 16, 4))
  whole(sub, "ccm.protocol", tvb(at + 20, 1))
  whole(sub, "ccm.traffic_class", tvb(at + 21, 1))
  whole(sub, "ccm.queue_id", tvb(at + 22, 1))
  whole(sub, "ccm.severity", tvb(at + 23, 1))
  whole(sub, "ccm.source_port", tvb(at + 24, 2))
  whole(sub, "ccm.destination_port", tvb(at + 26, 2))
  whole(sub, "ccm.discriminator", tvb(at + 28, 4))
  whole(sub, "ccm.queue_bytes", tvb(at + 32, 4))
  whole(sub, "ccm.time", tvb(at + 36, 4))
  whole(sub, is_ipv6 and "ccm.source6" or "ccm.source", tvb(at + 40, address))
  whole(sub, is_ipv6 and "ccm.destination6" or "ccm.destination",
    tvb(at + 40 + address, address))
  if key_id ~= 0 then whole(sub, "ccm.mac", tvb(at + length - 16, 16)) end
end

-- True if a RoCEv2 packet of hosts can begin here: of a known opcode, in the default partition.
local function is_roce(tvb, at, limit)
  if not fits(tvb, at, 16, limit) or tvb(at + 2, 2):uint() ~= 0xffff then return false end
  local opcode = tvb(at, 1):uint()
  return opcode <= 0x11 or opcode == 0x81 or opcode == 0xc0 or opcode == 0xc1
end

-- Padding of hosts, whose DSCP is that of INT; gives the offset of the header of the transport or BTH behind it.
local function own_padding(tvb, at, limit, port)
  if not fits(tvb, at, 2, limit) then return nil end
  local behind = at + 2 + 8 * tvb(at, 1):bitfield(0, 4)
  local is_header = port == prefs.roce_port and is_roce or is_transport
  return is_header(tvb, behind, limit) and behind or nil
end

-- INT, or padding, in front of the payload; gives the offset behind it.
local function carried(tree, tvb, at, limit, port)
  local is_int = fits(tvb, at, 4, limit) and tvb(at, 1):bitfield(0, 4) == 1
    and fits(tvb, at, 4 + 4 * tvb(at + 1, 1):uint(), limit) and tvb(at + 1, 1):uint() >= 3
  local is_own = port == prefs.transport_port or port == prefs.roce_port
  local behind = is_own and not is_int and own_padding(tvb, at, limit, port)
  if not behind then return int(tree, tvb, at, limit) end
  padding(tree, tvb, at, behind, 2)
  return behind
end

-- The port that a packet had before INT took its place.
local function original_port(tvb, at, limit)
  if not fits(tvb, at, 12, limit) then return nil end
  local stop = at + 4 * tvb(at + 2, 1):uint()
  local is_v05 = tvb(at, 1):uint() == 1 and tvb(at + 4, 1):bitfield(0, 4) == 0
  if is_v05 then return fits(tvb, at, math.max(stop - at, 16), limit) and tvb(stop - 3, 2):uint() end
  return tvb(at, 1):uint() ~= 1 and tvb(at, 1):bitfield(4, 2) == 1 and tvb(at + 2, 2):uint()
end

-- What follows UDP, by its ports and the DSCP.
local function after_udp(tree, tvb, at, limit, dscp, port)
  if prefs.padding ~= 0 and port == prefs.roce_port then
    if prefs.padding == 3 then return padding_ns3(tree, tvb, at + 6, limit) end
    return padding(tree, tvb, at, limit, prefs.padding == 1 and 2 or 4)
  end
  -- Requests and responses over RoCEv2 have the DSCP, but a response carries no INT.
  local opcode = fits(tvb, at, 1, limit) and tvb(at, 1):uint() or 0
  local is_message = port == prefs.roce_port and (opcode == 0xc0 or opcode == 0xc1)
  if (dscp == prefs.int_dscp or port == prefs.int_port) and not is_message then
    local original = port == prefs.int_port and original_port(tvb, at, limit)
    port = original or port
    is_trimmed = fits(tvb, at, 4, limit) and tvb(at, 1):uint() ~= 1 and tvb(at, 1):bitfield(4, 2) == 0
      and tvb(at + 3, 1):bitfield(0, 6) == TRIMMED_DSCP
    at = carried(tree, tvb, at, limit, port)
  end
  if port == prefs.transport_port then transport(tree, tvb, at, limit) end
  if port == 50005 then path_shim(tree, tvb, at, limit) end
  if port == prefs.roce_port then roce(tree, tvb, at, limit) end
  if port == prefs.report_port then report(tree, tvb, at, limit) end
  if port == prefs.ccm_port then ccm_notification(tree, tvb, at, limit) end
  if port == 4789 then inner_frame(tree, tvb, at + 8, 3) end
  if port == 4790 and fits(tvb, at, 8, limit) and tvb(at + 3, 1):uint() == 4 then inner_frame(tree, tvb, at + 8, "nsh") end
end

local function after_ip(tree, tvb, at, limit, dscp, protocol)
  is_trimmed = dscp == TRIMMED_DSCP
  local has_ifa = protocol == prefs.ifa_protocol or protocol == prefs.ifa_protocol2
  if has_ifa then
    if not fits(tvb, at, 4, limit) then return end
    ifa_header(tree, tvb, at)
    protocol = tvb(at + 1, 1):uint()
    at = at + 4
  end
  local is_tcp = protocol == 6
  if (not is_tcp and protocol ~= 17) or not fits(tvb, at, is_tcp and 20 or 8, limit) then return end
  local body = at + (is_tcp and 4 * tvb(at + 12, 1):bitfield(0, 4) or 8)
  if has_ifa then
    local behind = ifa_metadata(tree, tvb, body, limit)
    if behind and not is_tcp then after_udp(tree, tvb, behind, limit, -1, tvb(at + 2, 2):uint()) end
    return
  end
  if not is_tcp then return after_udp(tree, tvb, body, limit, dscp, tvb(at + 2, 2):uint()) end
  if dscp == prefs.int_dscp and fits(tvb, body, 1, limit) then int(tree, tvb, body, limit) end
end

local function ipv4(tree, tvb, at)
  if not fits(tvb, at, 20, tvb:len()) then return end
  local limit = at + tvb(at + 2, 2):uint()
  local body = at + 4 * tvb(at, 1):bitfield(4, 4)
  after_ip(tree, tvb, body, limit, tvb(at + 1, 1):bitfield(0, 6), tvb(at + 9, 1):uint())
end

-- The Direct Export option of IOAM (RFC 9326), which Wireshark does not know, from its namespace to `stop`.
local function ioam_dex(tree, tvb, at, stop)
  local sub = tree:add(hpcc, tvb(at, stop - at), "IOAM direct export")
  if stop - at < 8 then return fault(sub) end
  whole(sub, "ioam.namespace", tvb(at, 2))
  bits(sub, "ioam.trace_type", tvb(at + 4, 3), 0, 24)
  local word = at + 8
  for bit = 0, 7 do
    if tvb(at + 3, 1):bitfield(bit, 1) == 1 then
      if word + 4 > stop then return fault(sub) end
      if bit == 0 then whole(sub, "ioam.flow_id", tvb(word, 4)) end
      if bit == 1 then whole(sub, "ioam.sequence", tvb(word, 4)) end
      word = word + 4
    end
  end
  if word ~= stop then fault(sub) end
end

-- Options of a hop-by-hop or destination options header, from the first to `stop`.
local function ipv6_options(tree, tvb, at, stop)
  while fits(tvb, at, 2, stop) do
    local kind = tvb(at, 1):uint()
    local behind = kind == 0 and at + 1 or at + 2 + tvb(at + 1, 1):uint()
    if kind == 0x11 and behind <= stop and fits(tvb, at, 4, stop) and tvb(at + 3, 1):uint() == 4 then
      ioam_dex(tree, tvb, at + 4, behind)
    end
    at = behind
  end
end

-- A destination that is a path (RFC 9800): the active uSID first, the host's last.
local function path_of_usids(tree, tvb, at)
  if tostring(tvb(at, 4):bytes()):lower() ~= prefs.usid_block:lower() then return end
  local last = 14
  while last > 4 and tvb(at + last, 2):uint() == 0 do last = last - 2 end
  local sub = tree:add(hpcc, tvb(at, 16), "Path of uSIDs")
  for place = 4, last, 2 do whole(sub, "usid", tvb(at + place, 2)) end
end

local function ipv6(tree, tvb, at)
  if not fits(tvb, at, 40, tvb:len()) then return end
  path_of_usids(tree, tvb, at + 24)
  local limit = at + 40 + tvb(at + 4, 2):uint()
  local dscp, protocol, body = tvb(at, 2):bitfield(4, 6), tvb(at + 6, 1):uint(), at + 40
  while (protocol == 0 or protocol == 60) and fits(tvb, body, 8, limit) do
    local behind = body + 8 * (tvb(body + 1, 1):uint() + 1)
    ipv6_options(tree, tvb, body + 2, math.min(behind, limit))
    protocol, body = tvb(body, 1):uint(), behind
  end
  after_ip(tree, tvb, body, limit, dscp, protocol)
end

-- A tree appears only when something is added to it.
local function lazily(tree, tvb)
  local made
  local lazy = {}
  function lazy:add(...)
    made = made or tree:add(hpcc, tvb())
    return made:add(...)
  end
  return lazy
end

-- Options of IOAM behind NSH (RFC 9452), which itself is Wireshark's own; gives the protocol behind them, and where.
local function nsh(tree, tvb, at)
  if not fits(tvb, at, 8, tvb:len()) then return end
  local kind, head = tvb(at + 3, 1):uint(), at + 4 * tvb(at + 1, 1):bitfield(2, 6)
  while kind == 6 and fits(tvb, head, 4, tvb:len()) do
    local stop = head + 4 * tvb(head + 1, 1):uint()
    if stop <= head or stop > tvb:len() then return fault(tree:add(hpcc, tvb(head, 4), "IOAM")) end
    local sub = tree:add(hpcc, tvb(head, 4), "IOAM behind NSH")
    local option = tvb(head, 1):uint()
    whole(sub, "ioam.type", tvb(head, 1))
    whole(sub, "ioam.next_protocol", tvb(head + 3, 1))
    if option <= 1 then ioam_trace(tree, tvb, head + 4, stop, option == 1)
    elseif option == 4 then ioam_dex(tree, tvb, head + 4, stop) end
    kind, head = tvb(head + 3, 1):uint(), stop
  end
  return kind, head
end

local ethernet

-- The packet behind NSH; gives the offset of its IP packet where it has one.
local function behind_nsh(tree, tvb, kind, at)
  if kind == 1 or kind == 2 then
    (kind == 1 and ipv4 or ipv6)(tree, tvb, at)
    return at
  end
  if kind == 3 then return ethernet(tree, tvb, at) end
  if kind == 4 then return behind_nsh(tree, tvb, nsh(tree, tvb, at)) end
end

-- A frame of Ethernet, from its addresses on; gives the offset of its IP packet where it has one.
ethernet = function(tree, tvb, start)
  local at = start + 12
  while fits(tvb, at, 2, tvb:len()) do
    local kind = tvb(at, 2):uint()
    if kind == 0x0800 or kind == 0x86dd then
      (kind == 0x0800 and ipv4 or ipv6)(tree, tvb, at + 2)
      return at + 2
    end
    if kind == 0x894f then return behind_nsh(tree, tvb, nsh(tree, tvb, at + 2)) end
    if kind == prefs.ccm_tpid and fits(tvb, at, 8, tvb:len()) then
      ccm_tag(tree, tvb, at)
      at = at + 4
    elseif kind == prefs.csig_tpid and fits(tvb, at, 6, tvb:len()) then csig(tree, tvb, at)
    elseif kind ~= 0x8100 and kind ~= 0x88a8 then return end
    at = at + 4
  end
end

-- By types of the inner contents of reports, and NSH.
inner_frame = function(tree, tvb, at, inner_type)
  if inner_type == 3 then ethernet(tree, tvb, at)
  elseif inner_type == 4 then ipv4(tree, tvb, at)
  elseif inner_type == 5 then ipv6(tree, tvb, at)
  elseif inner_type == "nsh" then behind_nsh(tree, tvb, nsh(tree, tvb, at)) end
end

local ENCAP_ETHERNET, ENCAP_NULL = 1, 15
local encap_type = Field.new("frame.encap_type")
local ip_version, ipv6_version = Field.new("ip.version"), Field.new("ipv6.version")

-- True for frames of Ethernet; bmv2 writes them under the type of BSD's loopback.
local function is_ethernet(tvb)
  local kind = encap_type().value
  if kind ~= ENCAP_NULL or not fits(tvb, 4, 1, tvb:len()) then return kind == ENCAP_ETHERNET end
  local version = tvb(4, 1):bitfield(0, 4)
  return version ~= 4 and version ~= 6
end

function hpcc.dissector(buffer, _, root)
  local tree = lazily(root, buffer)
  if is_ethernet(buffer) and ethernet(tree, buffer, 0) then return end
  -- Behind other links, and labels of MPLS, IP is where Wireshark has found it.
  local v4, v6 = ip_version(), ipv6_version()
  if v4 and (not v6 or v4.offset < v6.offset) then ipv4(tree, buffer, v4.offset)
  elseif v6 then ipv6(tree, buffer, v6.offset) end
end

register_postdissector(hpcc)
