package org.braid.hdfs.namenode.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import javax.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What HDFS 3.4 and 3.5 were seen to read. */
final class WebHdfsRequestTest {
  private static WebHdfsRequest request(String method, String address, @Nullable String query) {
    return new WebHdfsRequest(
        (HttpServletRequest)
            Proxy.newProxyInstance(
                WebHdfsRequestTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (proxy, called, arguments) ->
                    switch (called.getName()) {
                      case "getMethod" -> method;
                      case "getServletPath" -> "/webhdfs/v1";
                      case "getRequestURI" -> address;
                      case "getQueryString" -> query;
                      default -> throw new UnsupportedOperationException(called.getName());
                    }));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "\"\", /",
        "/, /",
        "/d/f, /d/f",
        "//d//f/, //d//f/",
        "/d/./f, /d/./f",
        "/d/../f, /d/../f",
        "/d/%2e%2E/f, /d/../f",
        "/.reserved/.inodes/16385/.., /.reserved/.inodes/16385/..",
        "/../v1/d, /../v1/d",
        "/d%2Ff, /d/f",
        "/d;x=1/f;, /d;x=1/f;",
        "/d/f%3Bx, /d/f;x",
        "/d/f%253Bx, /d/f%3Bx",
        "/d/f+g, /d/f+g",
        "/d/f%20g, /d/f g",
        "/d/f%2Bg, /d/f+g",
        "/d/%e2%82%ac, /d/\u20ac",
        "/d/f%3Fop=x, /d/f?op=x"
      })
  void pathsAreReadAsTheyWereSent(String sent, String read) {
    WebHdfsRequest request = request("PUT", "/webhdfs/v1" + sent, null);
    assertEquals(Optional.empty(), request.ambiguity());
    assertEquals(read, request.path());
  }

  @Test
  void whatIsPostedMayLackWhatStandsBehindSemicolons() {
    assertEquals(List.of("/d/f"), request("POST", "/webhdfs/v1/d/f", null).postedPaths());
    assertEquals(List.of("/d/f;x"), request("POST", "/webhdfs/v1/d/f%3Bx", null).postedPaths());
    assertEquals(
        List.of("/a;b=c/f;x", "/a/f"),
        request("POST", "/webhdfs/v1/a;b=c/f;x", null).postedPaths());
  }

  @ParameterizedTest
  @CsvSource({
    "/web%68dfs/v1/d",
    "/x/../webhdfs/v1/d",
    "/webhdfs/v1;x/d",
    "/webhdfs/v1%2Fd",
    "/webhdfs;x/v1/d"
  })
  void anotherAddressOfTheServletCannotBeRead(String address) {
    assertEquals(
        Optional.of("the address does not begin with /webhdfs/v1"),
        request("DELETE", address, null).ambiguity());
  }

  @ParameterizedTest
  @CsvSource({
    "/a/b, /a/b",
    "/x/../a, /a",
    "/a/./b/, /a/b",
    "///a//b, /a/b",
    "//host/a, /a",
    "/a%2Fb, /a/b",
    "/%2e%2e/a, /../a",
    "/a+b, /a b",
    "/a;b%3Bc, /a;b;c",
    "a, ''",
    "'', ''",
    "hdfs://h/a, ''"
  })
  void whereAFileGoesIsReadAsClientsReadPaths(String given, String read) {
    assertEquals(
        read, request("PUT", "/webhdfs/v1/f", "op=RENAME&DestinaTion=" + given).destination());
  }

  @Test
  void whatIsJoinedIsTakenAsItIsGiven() {
    assertEquals(
        List.of("/a/../b", "//c", "d;e"),
        request("POST", "/webhdfs/v1/f", "op=concat&sources=/a/%2e./b,%2F/c%2Cd;e,").sources());
    assertEquals(List.of(), request("POST", "/webhdfs/v1/f", "op=CONCAT&sources=").sources());
    assertEquals(List.of(), request("POST", "/webhdfs/v1/f", null).sources());
  }

  @ParameterizedTest
  @CsvSource({
    "'', 0",
    "OFFSET=7, 7",
    "offset=0, 0",
    "offset=null, 0",
    "offset=x, ",
    "offset=1.5, ",
    "offset=-1, "
  })
  void aReadBeginsWhereHdfsBegins(String query, @Nullable Long offset) {
    assertEquals(
        offset == null ? OptionalLong.empty() : OptionalLong.of(offset),
        request("GET", "/webhdfs/v1/f", "op=OPEN&" + query).offset());
  }

  @Test
  void parametersKnowNoCaseAndAreGivenOnce() {
    WebHdfsRequest request = request("PUT", "/webhdfs/v1/f", "OP=rename&a=1&a=1");
    assertEquals("PUT RENAME", request.operation());
    assertEquals(Optional.empty(), request.ambiguity());
    assertTrue(
        request("PUT", "/webhdfs/v1/f", "op=RENAME&%6fP=delete").ambiguity().isPresent(),
        "two operations");
  }

  /** For logs, which are not to name what was not asked for. */
  @Test
  void whatIsUnclearIsNotNamed() {
    WebHdfsRequest request = request("PUT", "/webhdfs/v1/f", "OP=rename&a=1&a=2&op=rename");
    assertEquals(Optional.of("rename"), request.only("op"));
    assertEquals(Optional.empty(), request.only("a"));
    assertEquals(Optional.empty(), request.only("b"));
    assertEquals("/f", request.sentPath());
    assertEquals("/web%68dfs/v1/d", request("PUT", "/web%68dfs/v1/d", null).sentPath());
  }
}
