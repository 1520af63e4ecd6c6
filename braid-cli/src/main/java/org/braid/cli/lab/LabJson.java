package org.braid.cli.lab;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Locale;
import org.braid.cli.text.Json;
import org.braid.lab.LabRegistry;

/** LabRegistry as JSON. */
final class LabJson {
  private LabJson() {}

  static ObjectNode of(LabRegistry.Status status) {
    ObjectNode lab = Json.object();
    lab.put("lab", status.id()).put("state", state(status)).put("keeper", status.keeper());
    lab.put("since", status.since() == 0 ? "" : Instant.ofEpochMilli(status.since()).toString());
    lab.put("directory", status.directory().toString()).put("stored_bytes", status.stored());
    status
        .settings()
        .ifPresent(
            settings -> {
              lab.put("topology", settings.topology().toString());
              lab.put("block_bytes", settings.blockSize()).put("room_bytes", settings.room());
              lab.put("plugins", settings.plugins().name().toLowerCase(Locale.ROOT));
              lab.put("node_managers", settings.nodeManagers());
            });
    ArrayNode daemons = lab.putArray("daemons");
    for (LabRegistry.Daemon daemon : status.daemons()) {
      daemons
          .addObject()
          .put("name", daemon.name())
          .put("rack", daemon.location())
          .put("pid", daemon.pid())
          .put("memory_bytes", daemon.memory())
          .put("cpu_seconds", daemon.cpuSeconds());
    }
    return lab;
  }

  static String state(LabRegistry.Status status) {
    return status.state().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
