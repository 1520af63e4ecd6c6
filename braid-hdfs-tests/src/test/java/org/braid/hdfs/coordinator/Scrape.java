package org.braid.hdfs.coordinator;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Braid's figures on a page for Prometheus, by series. A line that Prometheus would not understand
 * is an error.
 *
 * @param types by name
 */
record Scrape(Map<Series, Double> values, Map<String, String> types) {
  private static final Pattern LINE =
      Pattern.compile("(braid_[a-z0-9_]+)\\{((?:[a-z_]+=\"[^\"\\\\\n]*\",?)*)} (-?[0-9.E+-]+)");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");
  private static final Pattern TYPE = Pattern.compile("# TYPE (braid_[a-z0-9_]+) (counter|gauge)");

  /** A name with its labels. */
  record Series(String name, Map<String, String> labels) {
    boolean has(String... wanted) {
      for (int i = 0; i < wanted.length; i += 2) {
        if (!wanted[i + 1].equals(labels.get(wanted[i]))) {
          return false;
        }
      }
      return true;
    }
  }

  /** Asks a web server. */
  static String get(String address, String path) throws Exception {
    HttpResponse<String> answer =
        // A DataNode refuses the offer of a later version.
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .build()
            .send(
                HttpRequest.newBuilder(URI.create("http://" + address + path)).build(),
                HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new AssertionError(path + " of " + address + " answers " + answer.statusCode());
    }
    return answer.body();
  }

  /** Reads the figures of all daemons that share a web server's process. */
  static Scrape of(String address) throws Exception {
    return parse(get(address, "/prom"));
  }

  static Scrape parse(String page) {
    Map<Series, Double> values = new LinkedHashMap<>();
    Map<String, String> types = new HashMap<>();
    for (String line : page.split("\n")) {
      Matcher type = TYPE.matcher(line);
      if (type.matches()) {
        types.put(type.group(1), type.group(2));
      } else if (line.startsWith("braid_")) {
        Matcher parts = LINE.matcher(line);
        if (!parts.matches()) {
          throw new AssertionError("Prometheus does not understand: " + line);
        }
        Map<String, String> labels = new TreeMap<>();
        Matcher label = LABEL.matcher(parts.group(2));
        while (label.find()) {
          labels.put(label.group(1), label.group(2));
        }
        Double before =
            values.put(new Series(parts.group(1), labels), Double.valueOf(parts.group(3)));
        if (before != null) {
          throw new AssertionError("twice on one page: " + line);
        }
      }
    }
    return new Scrape(values, types);
  }

  /** The sum over the series that have some labels, given as names and values by turns. */
  long sum(String name, String... labels) {
    return found(name, labels)
        .orElseThrow(
            () ->
                new AssertionError(
                    name + String.join(",", labels) + " is not among " + values.keySet()));
  }

  /** The same, or nothing where there is no such series. */
  OptionalLong found(String name, String... labels) {
    double sum = 0;
    boolean found = false;
    for (Map.Entry<Series, Double> entry : values.entrySet()) {
      if (entry.getKey().name().equals(name) && entry.getKey().has(labels)) {
        sum += entry.getValue();
        found = true;
      }
    }
    return found ? OptionalLong.of((long) sum) : OptionalLong.empty();
  }

  /** How much counters grew, those of daemons that were there both times or are new. */
  long grown(Scrape before, String name, String... labels) {
    double sum = 0;
    for (Map.Entry<Series, Double> entry : values.entrySet()) {
      if (entry.getKey().name().equals(name) && entry.getKey().has(labels)) {
        sum += entry.getValue() - before.values.getOrDefault(entry.getKey(), 0.0);
      }
    }
    return (long) sum;
  }

  /** One line a name: its type, and its labels but those that the daemon's place has. */
  TreeSet<String> described(String daemon) {
    Map<String, TreeSet<String>> labels = new TreeMap<>();
    values.keySet().stream()
        .filter(series -> series.has("processname", daemon))
        .forEach(
            series ->
                labels
                    .computeIfAbsent(series.name(), name -> new TreeSet<>())
                    .addAll(series.labels().keySet()));
    TreeSet<String> lines = new TreeSet<>();
    labels.forEach(
        (name, all) ->
            lines.add(
                "%s %s %s %s".formatted(daemon, name, types.get(name), String.join(",", all))));
    return lines;
  }
}
