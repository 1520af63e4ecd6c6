package org.braid.hdfs.namenode.deferral;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RedirectedAnswerTest {
  private static final Map<String, String> INSTEAD =
      Map.of("silent:9864", "other:9864", "silent:9865", "other:9865");

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "http://silent:9864/webhdfs/v1/f?op=X http://other:9864/webhdfs/v1/f?op=X",
        "https://silent:9865/webhdfs/v1/f?op=X https://other:9865/webhdfs/v1/f?op=X",
        "http://silent:98640/f http://silent:98640/f",
        "http://quite-silent:9864/f http://quite-silent:9864/f",
        "http://third:9864/f http://third:9864/f",
        "http://third:9864/f?a=http://silent:9864/ http://third:9864/f?a=http://silent:9864/",
        "/f /f"
      })
  void onlyTheHostIsAnotherOne(String given, String sent) {
    assertEquals(sent, RedirectedAnswer.address(given, INSTEAD));
  }

  @Test
  void onlyABodyThatNamesAnAddressIsAnotherOne() {
    assertEquals(
        "{\"Location\":\"http://other:9864/f\"}",
        RedirectedAnswer.body("{\"Location\":\"http://silent:9864/f\"}", INSTEAD));
    String failure = "{\"RemoteException\":{\"message\":\"http://silent:9864/ is off\"}}";
    assertEquals(failure, RedirectedAnswer.body(failure, INSTEAD));
  }

  @Test
  void headersLeadToTheOtherNode() throws IOException {
    Sent sent = new Sent();
    RedirectedAnswer answer = new RedirectedAnswer(sent.answer(), INSTEAD);
    answer.addHeader("location", "http://silent:9864/f");
    answer.setHeader("Location", "http://silent:9864/g");
    answer.setHeader("Else", "http://silent:9864/h");
    answer.finish();
    assertEquals(
        List.of(
            "addHeader location http://other:9864/f",
            "setHeader Location http://other:9864/g",
            "setHeader Else http://silent:9864/h"),
        sent.calls);
  }

  /** Its length is that of what is sent. */
  @Test
  void theBodyIsSentAtTheEnd() throws IOException {
    Sent sent = new Sent();
    RedirectedAnswer answer =
        new RedirectedAnswer(sent.answer(), Map.of("silent:9864", "another:9864"));
    byte[] given = "{\"Location\":\"http://silent:9864/f\"}".getBytes(StandardCharsets.UTF_8);
    answer.setContentLength(given.length);
    answer.setHeader("Content-Length", Integer.toString(given.length));
    answer.getOutputStream().write(given, 0, 5);
    answer.flushBuffer();
    answer.getOutputStream().write(given, 5, given.length - 5);
    assertEquals(List.of(), sent.calls);
    answer.finish();
    String text = sent.body.toString(StandardCharsets.UTF_8);
    assertEquals("{\"Location\":\"http://another:9864/f\"}", text);
    assertEquals(List.of("setContentLength " + text.length(), "getOutputStream"), sent.calls);
  }

  /** What comes to the web server. */
  private static final class Sent {
    final List<String> calls = new ArrayList<>();
    final ByteArrayOutputStream body = new ByteArrayOutputStream();

    HttpServletResponse answer() {
      return (HttpServletResponse)
          Proxy.newProxyInstance(
              Sent.class.getClassLoader(),
              new Class<?>[] {HttpServletResponse.class},
              (proxy, method, given) -> {
                StringBuilder call = new StringBuilder(method.getName());
                for (Object one : given == null ? new Object[0] : given) {
                  call.append(' ').append(one);
                }
                calls.add(call.toString());
                return method.getName().equals("getOutputStream") ? stream() : null;
              });
    }

    private ServletOutputStream stream() {
      return new ServletOutputStream() {
        @Override
        public void write(int b) {
          body.write(b);
        }

        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
          throw new IllegalStateException("nobody asks for it");
        }
      };
    }
  }
}
