#include "hpcc_network_api.hh"

#include <cmath>

namespace hpcc {

namespace {

constexpr uint64_t PS_PER_NS = 1000;
// astra-sim counts 2^30 bytes as a GB.
constexpr double BITS_PER_GB = 8.0 * (1 << 30);

}  // namespace

void Run::send(int from, int to, int tag, uint64_t bytes, Callback sent) {
    const Key key{from, to, tag, bytes};
    auto& channel = channels_[key];
    const auto number = channel.sends++;
    channel.open[number].sent = sent;
    const auto id = ids_++;
    travelling_[id] = {key, number};
    process_.send(id, from, to, bytes);
}

void Run::receive(int from, int to, int tag, uint64_t bytes, Callback received) {
    const Key key{from, to, tag, bytes};
    auto& channel = channels_[key];
    const auto number = channel.receives++;
    auto& message = channel.open[number];
    if (message.has_arrived) {
        channel.open.erase(number);
        schedule(now_, received);
        return;
    }
    message.received = received;
    message.is_awaited = true;
}

void Run::schedule(uint64_t at, Callback callback) {
    due_.push({at, order_++, callback});
}

void Run::arrive(uint64_t id) {
    const auto found = travelling_.find(id);
    if (found == travelling_.end()) throw Fault("the network delivered message " + std::to_string(id) + " that is not on its way");
    const auto [key, number] = found->second;
    travelling_.erase(found);
    auto& open = channels_[key].open;
    auto& message = open[number];
    const auto sent = message.sent;
    const auto received = message.received;
    if (message.is_awaited) {
        open.erase(number);
    } else {
        message.has_arrived = true;
    }
    sent.call();
    received.call();
}

void Run::call_due() {
    while (!due_.empty() && due_.top().at <= now_) {
        const auto callback = due_.top().callback;
        due_.pop();
        callback.call();
    }
}

void Run::run(int ranks, void (*begin)(void*), void* argument) {
    bool has_begun = false;
    while (!is_ended_) {
        const auto event = process_.next();
        if (event.is_done) throw Fault("the network ended before the ranks were done");
        now_ = event.now;
        for (const auto id : event.arrived) arrive(id);
        if (!has_begun) begin(argument);
        has_begun = true;
        call_due();
        answer(ranks);
    }
    if (!process_.next().is_done) throw Fault("the network went on behind the end of the run");
}

void Run::answer(int ranks) {
    if (!due_.empty()) {
        process_.go_until(due_.top().at);
        return;
    }
    if (!travelling_.empty()) {
        process_.go();
        return;
    }
    const auto text = unfinished(ranks);
    if (!text.empty()) throw Fault(text);
    process_.end();
    is_ended_ = true;
}

std::string Run::unfinished(int ranks) const {
    for (int rank = 0; rank < ranks; rank++) {
        if (finished_.count(rank) > 0) continue;
        const auto left = ranks - static_cast<int>(finished_.size());
        return std::to_string(left) + " of " + std::to_string(ranks) + " ranks are not done, the first is rank " +
               std::to_string(rank) + ", and nothing is on its way or due";
    }
    return "";
}

int HpccNetworkApi::sim_send(void*, uint64_t count, int, int dst, int tag, AstraSim::sim_request*,
                             void (*msg_handler)(void*), void* fun_arg) {
    run_.send(sim_comm_get_rank(), dst, tag, count, {msg_handler, fun_arg});
    return 0;
}

int HpccNetworkApi::sim_recv(void*, uint64_t count, int, int src, int tag, AstraSim::sim_request*,
                             void (*msg_handler)(void*), void* fun_arg) {
    run_.receive(src, sim_comm_get_rank(), tag, count, {msg_handler, fun_arg});
    return 0;
}

void HpccNetworkApi::sim_schedule(AstraSim::timespec_t delta, void (*fun_ptr)(void*), void* fun_arg) {
    if (delta.time_res != AstraSim::NS || delta.time_val < 0) {
        throw Fault("astra-sim schedules an event by another unit than ns, or in the past");
    }
    const auto later = static_cast<uint64_t>(std::llroundl(delta.time_val * PS_PER_NS));
    run_.schedule(run_.now() + later, {fun_ptr, fun_arg});
}

AstraSim::timespec_t HpccNetworkApi::sim_get_time() {
    // Whole ns, as its other networks have.
    return {AstraSim::NS, static_cast<long double>(run_.now() / PS_PER_NS)};
}

double HpccNetworkApi::get_BW_at_dimension(int dim) {
    const auto& rates = run_.network().rates;
    const auto size = static_cast<int>(rates.size());
    return rates[dim < size ? dim : size - 1] * 1e9 / BITS_PER_GB;
}

void HpccNetworkApi::sim_notify_finished() {
    run_.finished(sim_comm_get_rank());
}

}  // namespace hpcc
