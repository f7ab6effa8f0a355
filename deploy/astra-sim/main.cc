// astra-sim with `hpcc network-backend` as its network: the command line of its other binaries.

#include "hpcc_network_api.hh"

#include "astra-sim/common/Logging.hh"
#include "astra-sim/system/Sys.hh"
#include "extern/remote_memory_backend/analytical/AnalyticalRemoteMemory.hh"

#include <cxxopts/cxxopts.hpp>
#include <json/json.hpp>

#include <fstream>
#include <iostream>
#include <memory>

namespace {

using hpcc::Fault;

cxxopts::ParseResult parse(int argc, char** argv) {
    cxxopts::Options options(argv[0], "astra-sim on the network of HPCC++");
    const auto text = [](const char* otherwise) { return cxxopts::value<std::string>()->default_value(otherwise); };
    options.add_options()("workload-configuration", "Workload, without rank and .et", text(""))(
        "system-configuration", "System", text(""))("remote-memory-configuration", "Remote memory", text(""))(
        "network-configuration", "Scenario, topology, or network of the analytical backend", text(""))(
        "logical-topology-configuration", "Logical dimensions, as for ns-3", text(""))(
        "comm-group-configuration", "Communicator groups", text("empty"))(
        "logging-configuration", "Logging", text("empty"))("logging-folder", "Folder of logs", text("log"))(
        "num-queues-per-dim", "Queues of each dimension", cxxopts::value<int>()->default_value("1"))(
        "comm-scale", "Scale of communication", cxxopts::value<double>()->default_value("1"))(
        "injection-scale", "Scale of injection", cxxopts::value<double>()->default_value("1"))(
        "rendezvous-protocol", "Rendezvous", cxxopts::value<bool>()->default_value("false"))(
        "hpcc", "Command of the network, with its options", text("hpcc network-backend"))("help", "This text");
    auto parsed = options.parse(argc, argv);
    if (parsed.count("help") > 0) {
        std::cout << options.help() << std::endl;
        std::exit(0);
    }
    for (const auto* name : {"workload-configuration", "system-configuration", "remote-memory-configuration",
                             "network-configuration"}) {
        if (parsed[name].as<std::string>().empty()) throw Fault(std::string("--") + name + " is missing");
    }
    return parsed;
}

// astra-sim's dimensions: those of a file as for ns-3, or those of the network.
std::vector<int> dimensions_of(const std::string& file, const hpcc::Network& network) {
    if (file.empty()) return network.dimensions;
    std::ifstream stream(file);
    if (!stream) throw Fault("cannot read " + file);
    std::vector<int> dimensions;
    int ranks = 1;
    try {
        nlohmann::json document;
        stream >> document;
        for (const std::string text : document.at("logical-dims")) dimensions.push_back(std::stoi(text));
    } catch (const std::exception& error) {
        throw Fault(file + ": logical-dims must be a list of numbers in quotes: " + error.what());
    }
    for (const auto size : dimensions) ranks *= size;
    if (!dimensions.empty() && ranks >= 1 && ranks <= network.ranks) return dimensions;
    throw Fault(file + " has " + std::to_string(ranks) + " ranks, and the network " + std::to_string(network.ranks));
}

struct Ranks {
    std::vector<std::unique_ptr<hpcc::HpccNetworkApi>> networks;
    // They delete what they own by themselves when the process ends.
    std::vector<AstraSim::Sys*> systems;
};

void fire(void* argument) {
    for (auto* system : static_cast<Ranks*>(argument)->systems) system->workload->fire();
}

void simulate(const cxxopts::ParseResult& given, hpcc::NetworkProcess& process) {
    const auto text = [&given](const char* name) { return given[name].as<std::string>(); };
    const auto dimensions = dimensions_of(text("logical-topology-configuration"), process.network());
    const std::vector<int> queues(dimensions.size(), given["num-queues-per-dim"].as<int>());
    int count = 1;
    for (const auto size : dimensions) count *= size;
    Analytical::AnalyticalRemoteMemory memory(text("remote-memory-configuration"));
    hpcc::Run run(process);
    Ranks ranks;
    for (int rank = 0; rank < count; rank++) {
        ranks.networks.push_back(std::make_unique<hpcc::HpccNetworkApi>(rank, run));
        ranks.systems.push_back(new AstraSim::Sys(
            rank, text("workload-configuration"), text("comm-group-configuration"), text("system-configuration"),
            &memory, ranks.networks.back().get(), dimensions, queues, given["injection-scale"].as<double>(),
            given["comm-scale"].as<double>(), given["rendezvous-protocol"].as<bool>()));
    }
    run.run(count, fire, &ranks);
    for (auto* system : ranks.systems) delete system;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const auto given = parse(argc, argv);
        AstraSim::LoggerFactory::init(given["logging-configuration"].as<std::string>(),
                                      given["logging-folder"].as<std::string>());
        hpcc::NetworkProcess process(given["hpcc"].as<std::string>(),
                                     given["network-configuration"].as<std::string>());
        try {
            simulate(given, process);
        } catch (const std::exception& error) {
            process.fail(error.what());
            throw;
        }
        process.finish();
        AstraSim::LoggerFactory::shutdown();
        return 0;
    } catch (const std::exception& error) {
        // In one piece: the network may write there, too.
        std::cerr << std::string("AstraSim_HPCC: ") + error.what() + "\n";
        return 1;
    }
}
