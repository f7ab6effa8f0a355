// astra-sim's network API on the network of a process.

#pragma once

#include "network_process.hh"

#include "astra-sim/common/AstraNetworkAPI.hh"

#include <cstdint>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace hpcc {

// A function of astra-sim that is called later, and what it is given.
struct Callback {
    void (*function)(void*) = nullptr;
    void* argument = nullptr;

    void call() const {
        if (function != nullptr) function(argument);
    }
};

// Messages and events of all ranks of a run: what astra-sim waits for, and the present.
class Run {
  public:
    explicit Run(NetworkProcess& process) : process_(process) {}

    // Time of the present event, in ps.
    uint64_t now() const { return now_; }
    const Network& network() const { return process_.network(); }

    void send(int from, int to, int tag, uint64_t bytes, Callback sent);
    void receive(int from, int to, int tag, uint64_t bytes, Callback received);
    void schedule(uint64_t at, Callback callback);
    void finished(int rank) { finished_.insert(rank); }

    // Runs until all of `ranks` ranks are done; `begin` fires their workloads. Throws Fault.
    void run(int ranks, void (*begin)(void*), void* argument);

  private:
    // Messages match by sender, receiver, tag and length, in their order.
    using Key = std::tuple<int, int, int, uint64_t>;
    struct Message {
        Key key;
        uint64_t number;
        Callback sent;
        Callback received;
        bool is_awaited = false;
        bool has_arrived = false;
    };
    struct Channel {
        uint64_t sends = 0;
        uint64_t receives = 0;
        // Messages that were sent or are waited for, and have not been both.
        std::map<uint64_t, Message> open;
    };
    struct Due {
        uint64_t at;
        uint64_t order;
        Callback callback;
        bool operator>(const Due& other) const { return std::tie(at, order) > std::tie(other.at, other.order); }
    };

    void arrive(uint64_t id);
    // Calls what is due by now; what that schedules for now, too.
    void call_due();
    void answer(int ranks);
    std::string unfinished(int ranks) const;

    NetworkProcess& process_;
    uint64_t now_ = 0;
    uint64_t order_ = 0;
    uint64_t ids_ = 0;
    bool is_ended_ = false;
    std::map<Key, Channel> channels_;
    // Messages on their way by id.
    std::map<uint64_t, std::pair<Key, uint64_t>> travelling_;
    std::priority_queue<Due, std::vector<Due>, std::greater<Due>> due_;
    std::set<int> finished_;
};

// One rank's network, as astra-sim calls it.
class HpccNetworkApi : public AstraSim::AstraNetworkAPI {
  public:
    HpccNetworkApi(int rank, Run& run) : AstraNetworkAPI(rank), run_(run) {}

    int sim_send(void* buffer, uint64_t count, int type, int dst, int tag, AstraSim::sim_request* request,
                 void (*msg_handler)(void*), void* fun_arg) override;
    int sim_recv(void* buffer, uint64_t count, int type, int src, int tag, AstraSim::sim_request* request,
                 void (*msg_handler)(void*), void* fun_arg) override;
    void sim_schedule(AstraSim::timespec_t delta, void (*fun_ptr)(void*), void* fun_arg) override;
    AstraSim::timespec_t sim_get_time() override;
    double get_BW_at_dimension(int dim) override;
    void sim_notify_finished() override;

  private:
    Run& run_;
};

}  // namespace hpcc
