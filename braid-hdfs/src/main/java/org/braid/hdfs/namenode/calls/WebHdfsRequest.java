package org.braid.hdfs.namenode.calls;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.web.resources.ConcatSourcesParam;
import org.apache.hadoop.hdfs.web.resources.DestinationParam;
import org.apache.hadoop.hdfs.web.resources.NewLengthParam;
import org.apache.hadoop.hdfs.web.resources.OffsetParam;
import org.apache.hadoop.hdfs.web.resources.ReplicationParam;

/**
 * A WebHDFS request as HDFS reads it. HDFS takes the path from the address as it was sent, and
 * decodes it once. The web server also removes {@code .}, {@code ..} and the text behind a
 * semicolon, so guards must not use the web server's path. HDFS reads the target of a rename as its
 * clients read paths, and takes the sources of a concat as they are.
 */
public final class WebHdfsRequest {
  private final HttpServletRequest request;
  private final Map<String, Set<String>> parameters;
  private final Optional<String> sent;

  /** Reads a request to the servlet of WebHDFS. */
  public WebHdfsRequest(HttpServletRequest request) {
    this.request = request;
    this.parameters = parameters(request);
    this.sent = sent(request);
  }

  /** Method and operation, in upper case. */
  public String operation() {
    return request.getMethod() + " " + parameter("op").toUpperCase(Locale.ROOT);
  }

  /** The value of a URL parameter, whose name is case-insensitive; empty if it is missing. */
  String parameter(String name) {
    return parameters.getOrDefault(name, Set.of("")).iterator().next();
  }

  /** The value of a parameter that has one value; empty if it is missing or has several values. */
  Optional<String> only(String name) {
    return Optional.ofNullable(parameters.get(name))
        .filter(values -> values.size() == 1)
        .map(values -> values.iterator().next());
  }

  /**
   * The reason why a request is ambiguous; empty when it is not. If a parameter occurs with two
   * values, in any case of its name, HDFS reads one of them, and a filter may read the other.
   */
  Optional<String> ambiguity() {
    if (parameters.values().stream().anyMatch(values -> values.size() > 1)) {
      return Optional.of("a parameter is given twice");
    }
    return sent.isEmpty()
        ? Optional.of("the address does not begin with " + request.getServletPath())
        : Optional.empty();
  }

  /** The path of the request. */
  public String path() {
    return decoded(sent.orElse("/"));
  }

  /** The path of the request; the address as it was sent when the path is ambiguous. */
  String sentPath() {
    return sent.isPresent() ? path() : request.getRequestURI();
  }

  /** The possible paths of a POST: since Hadoop 3.5, HDFS drops the text behind a semicolon. */
  public List<String> postedPaths() {
    String plain = decoded(sent.orElse("/").replaceAll(";[^/]*", ""));
    return plain.equals(path()) ? List.of(plain) : List.of(path(), plain);
  }

  /** The target of a rename; empty when HDFS will report an error in it. */
  String destination() {
    try {
      String read = new DestinationParam(parameter(DestinationParam.NAME)).getValue();
      return read == null ? "" : read;
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  /** The source files of a concat. */
  List<String> sources() {
    String given = parameter(ConcatSourcesParam.NAME);
    return given.isEmpty() ? List.of() : List.of(new ConcatSourcesParam(given).getAbsolutePaths());
  }

  /** The replication as HDFS reads it; HDFS itself reports errors in it. */
  int replication(Configuration conf) {
    String text = parameter(ReplicationParam.NAME);
    try {
      return new ReplicationParam(text.isEmpty() ? null : text).getValue(conf);
    } catch (IllegalArgumentException e) {
      return 1;
    }
  }

  /** The first byte to read; empty when HDFS will report an error in it. */
  public OptionalLong offset() {
    String text = parameter(OffsetParam.NAME);
    try {
      return OptionalLong.of(new OffsetParam(text.isEmpty() ? null : text).getOffset());
    } catch (IllegalArgumentException e) {
      return OptionalLong.empty();
    }
  }

  /**
   * The removal that the NameNode makes for this request; DataNodes create files as HDFS clients.
   */
  Optional<Removal> removal() {
    return switch (operation()) {
      case "DELETE DELETE" ->
          Optional.of(
              Boolean.parseBoolean(parameter("recursive"))
                  ? Removal.tree(path())
                  : Removal.file(path()));
      case "DELETE DELETESNAPSHOT" ->
          Optional.of(Removal.snapshot(path(), parameter("snapshotname")));
      case "PUT RENAME" ->
          parameter("renameoptions").isEmpty() || destination().isEmpty()
              ? Optional.empty()
              : Optional.of(Removal.replaced(destination(), path()));
      case "POST TRUNCATE" -> cut();
      default -> Optional.empty();
    };
  }

  /** What a cut takes; empty where HDFS will say what is wrong, or may read another path. */
  private Optional<Removal> cut() {
    List<String> paths = postedPaths();
    try {
      long length = Long.parseLong(parameter(NewLengthParam.NAME));
      return paths.size() == 1 ? Optional.of(Removal.tail(paths.get(0), length)) : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** What was sent behind the servlet's own path; empty when the address is another one there. */
  private static Optional<String> sent(HttpServletRequest request) {
    String address = request.getRequestURI();
    if (!address.startsWith(request.getServletPath())) {
      return Optional.empty();
    }
    String rest = address.substring(request.getServletPath().length());
    return rest.isEmpty() || rest.startsWith("/")
        ? Optional.of(rest.isEmpty() ? "/" : rest)
        : Optional.empty();
  }

  /** The values of parameters in the address: the body counts not. */
  private static Map<String, Set<String>> parameters(HttpServletRequest request) {
    Map<String, Set<String>> all = new HashMap<>();
    String query = request.getQueryString() == null ? "" : request.getQueryString();
    for (String part : query.split("&", -1)) {
      String[] option = part.split("=", 2);
      all.computeIfAbsent(value(option[0]).toLowerCase(Locale.ROOT), n -> new LinkedHashSet<>())
          .add(option.length == 1 ? "" : value(option[1]));
    }
    return all;
  }

  private static String decoded(String path) {
    return value(path.replace("+", "%2B")); // only in parameters it is a space
  }

  private static String value(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return text; // HDFS itself will say what is wrong with it
    }
  }
}
