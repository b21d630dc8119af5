"""What travels between the app and a reader while a slider moves: little."""

from lessons import text

SCENE_ALONE = 60_000                    # bytes: a scene of ten people, without the code that draws it


def test_a_moved_slider_brings_the_new_scene_alone(reader):
    received = []
    reader.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(frame)))
    reader.open("/walk?lang=en")
    slider = reader.page.get_by_role("slider", name=text.label("walk.people", "en"))
    slider.press("ArrowRight")
    reader.page.wait_for_url("**n=9**")
    reader.settle()
    del received[:]
    slider.press("ArrowRight")
    reader.page.wait_for_url("**n=10**")
    reader.settle()
    assert 0 < sum(map(len, received)) < SCENE_ALONE
