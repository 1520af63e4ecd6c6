package org.braid.cli.codes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.braid.cli.text.Json;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Gf256;
import org.braid.code.LocalGroup;
import org.braid.code.Promise;
import org.braid.code.Schedule;
import org.braid.code.derive.PatternSample;
import org.braid.code.derive.RepairCost;
import org.braid.code.derive.Tolerance;
import org.braid.code.derive.UpdateCost;

/** Codes and their derived properties as JSON objects. */
final class CodesJson {
  private CodesJson() {}

  /** A code: name, parameters, matrix, groups, racks, promises. */
  static ObjectNode of(ErasureCode code) {
    ObjectNode object = Json.object().put("name", code.name());
    object.put("n", code.n()).put("k", code.k()).put("alpha", code.alpha());
    object.put("field", "GF(2^8), polynomial 0x" + Integer.toHexString(Gf256.POLYNOMIAL));
    object.put("overhead", CodeProperties.overhead(code));
    object.put("digest", Codes.digest(code));
    ArrayNode groups = object.putArray("groups");
    for (LocalGroup group : code.groups()) {
      ObjectNode node = groups.addObject().put("name", group.name());
      group.blocks().forEach(node.putArray("blocks")::add);
      node.put("losses", group.losses());
    }
    code.racks().ifPresent(racks -> racks.forEach(object.putArray("racks")::add));
    object.set("promises", promises(code));
    ArrayNode encodings = object.putArray("encodings");
    encodings.addObject().put("name", "matrix").put("terms", Schedule.generator(code).terms());
    code.encodings()
        .forEach(s -> encodings.addObject().put("name", s.name()).put("terms", s.terms()));
    ArrayNode generator = object.putArray("generator");
    for (int row = 0; row < code.generator().rows(); row++) {
      ArrayNode values = generator.addArray();
      for (int value : code.generator().row(row)) {
        values.add(value);
      }
    }
    return object;
  }

  private static ArrayNode promises(ErasureCode code) {
    ArrayNode promises = Json.object().putArray("promises");
    for (Promise promise : code.promises()) {
      promises.addObject().put("promise", promise.text()).put("patterns", promise.patterns());
    }
    return promises;
  }

  /** The tolerance. */
  static ObjectNode of(Tolerance tolerance) {
    ObjectNode object = Json.object();
    object.put("proven", tolerance.proven()).put("at_most", tolerance.atMost());
    object.put("exact", tolerance.isExact());
    tolerance.fatal().forEach(object.putArray("fatal")::add);
    tolerance
        .sample()
        .ifPresent(
            s ->
                object
                    .putObject("sample")
                    .put("lost", tolerance.atMost())
                    .put("checked", s.checked())
                    .put("confidence", PatternSample.CONFIDENCE)
                    .put("fatal_share_below", s.share()));
    tolerance
        .racks()
        .ifPresent(
            r -> {
              ObjectNode racks = object.putObject("racks").put("proven", r.racks());
              racks.put("of", r.of());
              r.fatal().forEach(racks.putArray("fatal")::add);
            });
    return object;
  }

  /** The cost of updates. */
  static ObjectNode of(UpdateCost cost) {
    return Json.object()
        .put("average", cost.average())
        .put("worst", cost.worst())
        .put("whole_block", cost.wholeBlock());
  }

  /** The cost of repairs: average and worst. */
  static ObjectNode of(RepairCost cost) {
    ObjectNode object = Json.object();
    object.put("average", cost.average()).put("worst", cost.worst());
    object.put("exact", cost.isExact()).put("patterns", cost.patterns());
    object.put("checked", cost.repairs().size() + cost.fatal()).put("fatal", cost.fatal());
    return object;
  }

  /** The name of an aim in options and objects. */
  static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
